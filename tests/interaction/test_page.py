"""A curator in a notebook: what it shows, and that no name in it becomes markup."""

from __future__ import annotations

import dpcore as dp

PEOPLE = dp.rows(dp.record(region=dp.categories("<b>N", "S")))


def test_the_page_shows_the_account_and_no_data() -> None:
    curator = dp.curator(PEOPLE, [{"region": "<b>N"}], budget=dp.pure(1))
    curator.ask(PEOPLE >> dp.histogram(dp.field("region")) >> dp.laplace(scale=3))
    curator.by(dp.field("region"))["<b>N"].ask(PEOPLE >> dp.count() >> dp.laplace(scale=6))
    page = curator._repr_html_()
    assert "<b>" not in page
    assert "&lt;b&gt;N" in page
    assert "width:50%" in page
    assert "epsilon 1/6" in page


def test_a_bar_is_full_only_where_nothing_is_left_and_never_earlier() -> None:
    curator = dp.curator(PEOPLE, [], budget=dp.pure(1))
    assert "width:0%" in curator._repr_html_()
    curator.ask(PEOPLE >> dp.count() >> dp.laplace(scale=1000))
    assert "width:1%" in curator._repr_html_()


def test_the_latest_questions_are_shown() -> None:
    meter = dp.odometer(PEOPLE, dp.PureDP).start([])
    for scale in range(1, 24):
        meter.ask(PEOPLE >> dp.count() >> dp.laplace(scale=scale))
    page = meter._repr_html_()
    assert "3 earlier questions not shown" in page
    assert "laplace(scale=3)" not in page
    assert "laplace(scale=4)" in page
