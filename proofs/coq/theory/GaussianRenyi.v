(** * From GaussianDP to Renyi divergences: those of N(0, 1) and N(mu, 1), [alpha mu^2/2] (Dong, Roth, Su 2022)

    With [a = alpha - 1], the layer of [f] between [e^(a x)] and [e^(a (x + h))] is a test, to which the line at [x] applies.
    Summed up, [P f] is at most [gamma Q f^beta] plus an integral of [e^(a x) delta(x)], whose antiderivative is below. *)
From Coq Require Import Reals Lra Psatz Lia ZArith.
From Coquelicot Require Import Coquelicot.
From DPcore Require Import Distributions Indistinguishability Measures Metrics Powers Renyi Normal Mills GaussianDP.
Open Scope R_scope.
Set Implicit Arguments.

Lemma ex_derive_Phi t : ex_derive Phi t. Proof. eexists. apply Phi_derive. Qed.
Lemma Derive_Phi t : Derive (fun x => Phi x) t = phi t. Proof. apply is_derive_unique, Phi_derive. Qed.

(** ** The integral of [(alpha - 1) e^((alpha-1) x) delta(x)] from [x] on, in closed form *)
Section Moments.
Variables alpha m : R.
Hypothesis order : 1 < alpha.
Hypothesis positive : 0 < m.
Notation delta := (normal_delta m).
Let mu := sqrt m.
Let a := alpha - 1.
Let b := beta alpha.
Let c := gamma alpha.
Let u x := x / mu + mu / 2.
Definition moment := exp (alpha * (alpha - 1) * m / 2).

Let mu_pos : 0 < mu. Proof. now apply sqrt_lt_R0. Qed.
Let mu_mu : mu * mu = m. Proof. apply sqrt_sqrt. lra. Qed.

Lemma delta_at x : delta x = Phi (mu - u x) - exp x * Phi (- u x).
Proof.
  rewrite normal_delta_pos by exact positive. fold mu. unfold u.
  f_equal; [f_equal; field; lra | do 2 f_equal; field; lra].
Qed.

Lemma delta_falls x y : x <= y -> delta y <= delta x.
Proof.
  intros L. rewrite (delta_at y). pose proof (line_highest x (- u y) positive) as H. fold mu in H.
  replace (- u y + mu) with (mu - u y) in H by ring. apply exp_le in L. pose proof (Phi_between (- u y)). nra.
Qed.

Lemma delta_nonneg x : 0 <= delta x.
Proof.
  apply le_epsilon. intros e E. pose proof (exp_pos x) as X.
  destruct (@Phi_near_0 (e / exp x)) as (t & T); [now apply Rdiv_lt_0_compat|].
  pose proof (line_highest x t positive). pose proof (Phi_between (t + sqrt m)).
  apply Rmult_lt_compat_l with (r := exp x) in T; [|exact X]. replace (exp x * (e / exp x)) with e in T by (field; lra). lra.
Qed.

Definition rest x :=
  moment / alpha * Phi (alpha * mu - u x) - exp (a * x) * Phi (mu - u x) + a / alpha * (exp (alpha * x) * Phi (- u x)).

Lemma phi_mu x : exp (a * x) * phi (mu - u x) = exp (alpha * x) * phi (u x).
Proof.
  replace (mu - u x) with (- u x + mu) by ring. rewrite phi_shift, phi_even, <- Rmult_assoc, <- exp_plus. do 2 f_equal.
  unfold a, u. field. lra.
Qed.

Lemma phi_alpha_mu x : moment * phi (alpha * mu - u x) = exp (alpha * x) * phi (u x).
Proof.
  replace (alpha * mu - u x) with (- u x + alpha * mu) by ring. unfold moment.
  rewrite phi_shift, phi_even, <- Rmult_assoc, <- exp_plus. do 2 f_equal. rewrite <- mu_mu. unfold u. field. lra.
Qed.

Lemma rest_derive (x : R) : is_derive rest x (- (a * (exp (a * x) * delta x))).
Proof.
  unfold rest. rewrite delta_at. pose proof (phi_mu x) as E1. pose proof (phi_alpha_mu x) as E2. unfold u in *.
  auto_derive; [repeat split; apply ex_derive_Phi|]. rewrite !Derive_Phi, phi_even.
  set (v := x / mu + mu / 2) in *. change (x * / mu + mu / 2) with v.
  change (alpha * mu + - v) with (alpha * mu - v). change (mu + - v) with (mu - v).
  assert (A : exp (alpha * x) = exp (a * x) * exp x) by (rewrite <- exp_plus; f_equal; unfold a; ring).
  transitivity (- (a * (exp (a * x) * Phi (mu - v) - exp (alpha * x) * Phi (- v))) -
    (moment * phi (alpha * mu - v) / alpha - exp (a * x) * phi (mu - v) + a / alpha * (exp (alpha * x) * phi v)) / mu).
  - field. split; lra.
  - rewrite E1, E2, A. unfold a. field. split; lra.
Qed.

Lemma rest_nonneg x : 0 <= rest x.
Proof.
  destruct (@tail_exponential (alpha * mu)) as (C & C0 & T); [nra|].
  apply le_epsilon. intros e E. set (d := C * exp (alpha * m / 2)).
  assert (D0 : 0 < d) by (apply Rmult_lt_0_compat; [exact C0 | apply exp_pos]).
  set (y := Rmax x (ln (d / e))).
  assert (M : - rest x <= - rest y).
  { apply rises with (f := fun x => - rest x) (f' := fun x => a * (exp (a * x) * delta x)); [| |unfold y; apply Rmax_l].
    - intros t _. evar_last; [apply (is_derive_opp rest), rest_derive|]. apply Ropp_involutive.
    - intros t _. pose proof (delta_nonneg t). pose proof (exp_pos (a * t)). apply Rmult_le_pos; [unfold a; lra | nra]. }
  assert (N : exp (a * y) * Phi (mu - u y) <= e).
  { specialize (T (u y - mu)). replace (- (u y - mu)) with (mu - u y) in T by ring.
    apply Rle_trans with (exp (a * y) * (C * exp (- (alpha * mu * (u y - mu))))).
    { apply Rmult_le_compat_l; [left; apply exp_pos | exact T]. }
    rewrite <- (Rmult_assoc _ C), (Rmult_comm _ C), Rmult_assoc.
    rewrite <- exp_plus. replace (a * y + - (alpha * mu * (u y - mu))) with (alpha * m / 2 + - y)
      by (rewrite <- mu_mu; unfold a, u; field; lra).
    rewrite exp_plus, exp_Ropp, <- Rmult_assoc. fold d.
    assert (L : d / e <= exp y).
    { rewrite <- (exp_ln (d / e)) by now apply Rdiv_lt_0_compat. apply exp_le. apply Rmax_r. }
    pose proof (exp_pos y). apply Rmult_le_reg_r with (exp y); [assumption|]. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
    apply Rmult_le_compat_l with (r := e) in L; [|lra]. replace (e * (d / e)) with d in L by (field; lra). exact L. }
  unfold rest in M at 2.
  assert (0 <= moment / alpha * Phi (alpha * mu - u y)).
  { apply Rmult_le_pos; [|left; apply Phi_between]. left. apply Rdiv_lt_0_compat; [apply exp_pos | lra]. }
  assert (0 <= a / alpha * (exp (alpha * y) * Phi (- u y))).
  { apply Rmult_le_pos; [left; apply Rdiv_lt_0_compat; unfold a; lra|].
    apply Rmult_le_pos; [left; apply exp_pos | left; apply Phi_between]. }
  lra.
Qed.

Lemma rest_le x : rest x <= moment / alpha.
Proof.
  assert (E : rest x = moment / alpha * Phi (alpha * mu - u x) - exp (a * x) * delta x - exp (alpha * x) * Phi (- u x) / alpha).
  { unfold rest. rewrite delta_at.
    assert (A : exp (alpha * x) = exp (a * x) * exp x) by (rewrite <- exp_plus; f_equal; unfold a; ring).
    rewrite A. unfold a. field. lra. }
  rewrite E. assert (0 <= exp (a * x) * delta x) by (apply Rmult_le_pos; [left; apply exp_pos | apply delta_nonneg]).
  assert (0 <= exp (alpha * x) * Phi (- u x) / alpha).
  { apply Rdiv_nonneg; [|lra]. apply Rmult_le_pos; [left; apply exp_pos | left; apply Phi_between]. }
  assert (0 < moment / alpha) by (apply Rdiv_lt_0_compat; [apply exp_pos | lra]).
  pose proof (Phi_between (alpha * mu - u x)). nra.
Qed.

(** One step of an upper sum, one step behind. *)
Lemma rest_step x h : 0 < h -> (exp (a * (x + h)) - exp (a * x)) * delta x <= exp (a * h) * (rest (x - h) - rest x).
Proof.
  intros H. assert (K : - rest (x - h) - exp (a * (x - h)) * delta x <= - rest x - exp (a * x) * delta x).
  { apply rises with (f := fun t => - rest t - exp (a * t) * delta x) (f' := fun t => a * exp (a * t) * (delta t - delta x));
      [| |lra].
    - intros t _. evar_last.
      + apply (is_derive_minus (fun t => - rest t) (fun t => exp (a * t) * delta x)).
        * apply (is_derive_opp rest), rest_derive.
        * instantiate (1 := a * exp (a * t) * delta x). auto_derive; [exact I | ring].
      + unfold minus, Hierarchy.plus, opp; simpl. ring.
    - intros t [_ T]. pose proof (delta_falls T). pose proof (exp_pos (a * t)). apply Rmult_le_pos; [|lra].
      apply Rmult_le_pos; [unfold a|]; lra. }
  replace (exp (a * (x + h)) - exp (a * x)) with (exp (a * h) * (exp (a * x) - exp (a * (x - h)))).
  - pose proof (exp_pos (a * h)). nra.
  - rewrite Rmult_minus_distr_l, <- !exp_plus. f_equal; f_equal; ring.
Qed.

(** ** The layers *)
Section Layers.
Variables (A : Type) (P Q : dist A) (f : A -> R).
Hypothesis lines : forall x, ind P Q x (delta x).
Hypothesis f_bounded : bounded f.
Hypothesis f_nonneg : nonneg f.
Let cut x w := Rmin (f w) (exp (a * x)).

Let cut_bounded x : bounded (cut x).
Proof.
  exists (exp (a * x)). intros w. unfold cut. pose proof (exp_pos (a * x)). pose proof (f_nonneg w).
  rewrite Rabs_pos_eq; [apply Rmin_r | apply Rmin_glb; lra].
Qed.

Let raised_bounded x : bounded (raised alpha (cut x)).
Proof. apply bounded_raised; auto. Qed.

(** The tangent of [gamma y^beta] at [e^(a x)] has the slope [e^x]. *)
Lemma layer_slope x h w : 0 < h ->
  exp x * (cut (x + h) w - cut x w) <= c * (raised alpha (cut (x + h)) w - raised alpha (cut x) w).
Proof.
  intros H. unfold raised. assert (S : exp (a * x) <= exp (a * (x + h))) by (apply exp_le; unfold a; nra).
  pose proof (gamma_between order) as G. fold c in G. unfold cut at 2 4.
  destruct (Rle_dec (f w) (exp (a * x))) as [L|L].
  { unfold cut. rewrite !Rmin_left by lra. rewrite !Rminus_eq_0. lra. }
  rewrite (Rmin_right (f w) (exp (a * x))) by lra. set (y := cut (x + h) w).
  assert (Y : 0 <= y) by (unfold y, cut; apply Rmin_glb; [apply f_nonneg | left; apply exp_pos]).
  pose proof (@young c (rpow y b) (exp (alpha * x))) as Yg.
  specialize (Yg ltac:(lra) (rpow_nonneg _ _) (Rlt_le _ _ (exp_pos _))).
  rewrite rpow_inv, rpow_exp in Yg by (auto; apply beta_gamma; lra).
  rewrite rpow_exp. fold b. replace (b * (a * x)) with (alpha * x) by (unfold b, a, beta; field; lra).
  replace ((1 - c) * (alpha * x)) with x in Yg by (unfold c, gamma; field; lra).
  rewrite Rmult_minus_distr_l, <- exp_plus. replace (x + a * x) with (alpha * x) by (unfold a; ring).
  rewrite (Rmult_comm (exp x) y). nra.
Qed.

Lemma layer x h : 0 < h ->
  P (cut (x + h)) <= P (cut x) + c * (Q (raised alpha (cut (x + h))) - Q (raised alpha (cut x))) +
    exp (a * h) * (rest (x - h) - rest x).
Proof.
  intros H. set (d := exp (a * (x + h)) - exp (a * x)).
  assert (d0 : 0 < d) by (assert (exp (a * x) < exp (a * (x + h))) by (apply exp_increasing; unfold a; nra); unfold d; lra).
  set (g := fun w => / d * (cut (x + h) w + -1 * cut x w)).
  assert (step : forall w, 0 <= cut (x + h) w - cut x w <= d).
  { intros w. unfold cut, d in *. unfold Rmin. repeat destruct Rle_dec; lra. }
  assert (T : test g).
  { intros w. unfold g. specialize (step w). pose proof (Rinv_0_lt_compat d d0). split; [apply Rmult_le_pos; lra|].
    apply Rmult_le_reg_l with d; [exact d0|]. rewrite <- Rmult_assoc, Rinv_r by lra. lra. }
  assert (E : forall S : dist A, d * S g = S (cut (x + h)) - S (cut x)).
  { intros S. unfold g. rewrite expect_scale, expect_plus, expect_scale by auto with bounded. field. lra. }
  pose proof (lines x T) as L. apply Rmult_le_compat_l with (r := d) in L; [|lra].
  replace (d * (exp x * Q g + delta x)) with (exp x * (d * Q g) + d * delta x) in L by ring. rewrite !E in L.
  assert (U : exp x * (Q (cut (x + h)) - Q (cut x)) <= c * (Q (raised alpha (cut (x + h))) - Q (raised alpha (cut x)))).
  { assert (V : Q (fun w => exp x * (cut (x + h) w + -1 * cut x w)) <=
      Q (fun w => c * (raised alpha (cut (x + h)) w + -1 * raised alpha (cut x) w))).
    { apply expect_le; auto 6 with bounded. intros w. pose proof (layer_slope x w H). lra. }
    rewrite !expect_scale, !expect_plus, !expect_scale in V by auto 6 with bounded. lra. }
  pose proof (rest_step x H). fold d in H0. lra.
Qed.

Lemma layers x h n : 0 < h ->
  P (cut (x + INR n * h)) <= exp (a * x) + c * Q (raised alpha (cut (x + INR n * h))) +
    exp (a * h) * (rest (x - h) - rest (x + INR n * h - h)).
Proof.
  intros H. induction n as [|n IH].
  - simpl INR. rewrite Rmult_0_l, Rplus_0_r, Rminus_eq_0, Rmult_0_r. pose proof (gamma_between order) as G. fold c in G.
    assert (P (cut x) <= exp (a * x)).
    { rewrite <- (expect_const P (exp (a * x))). apply expect_le; auto with bounded. intros w. apply Rmin_r. }
    assert (0 <= Q (raised alpha (cut x))) by (apply expect_raised; auto). nra.
  - rewrite S_INR. set (y := x + INR n * h) in *. replace (x + (INR n + 1) * h) with (y + h) by (unfold y; ring).
    pose proof (layer y H). replace (y + h - h) with y by ring. lra.
Qed.

Lemma layered : P f <= c * Q (raised alpha f) + moment / alpha.
Proof.
  assert (a0 : 0 < a) by (unfold a; lra). assert (Mm : 0 < moment / alpha) by (apply Rdiv_lt_0_compat; [apply exp_pos | lra]).
  apply le_epsilon. intros e E.
  set (x := ln (e / 2) / a). set (h := ln (1 + e / 2 / (moment / alpha)) / a).
  assert (Ex : exp (a * x) = e / 2) by (unfold x; replace (a * (ln (e / 2) / a)) with (ln (e / 2)) by (field; lra);
    apply exp_ln; lra).
  assert (q : 0 < e / 2 / (moment / alpha)) by (apply Rdiv_lt_0_compat; lra).
  assert (Eh : exp (a * h) = 1 + e / 2 / (moment / alpha)).
  { unfold h. replace (a * (ln (1 + e / 2 / (moment / alpha)) / a)) with (ln (1 + e / 2 / (moment / alpha))) by (field; lra).
    apply exp_ln; lra. }
  assert (h0 : 0 < h).
  { apply Rdiv_lt_0_compat; [|exact a0]. rewrite <- ln_1. apply ln_increasing; lra. }
  destruct f_bounded as [B HB].
  set (r := (ln (Rmax B 1) / a - x) / h). set (n := Z.to_nat (up r)).
  assert (Hn : r <= INR n).
  { destruct (archimed r) as [U _]. assert (IZR (up r) <= INR n); [|lra]. rewrite INR_IZR_INZ. apply IZR_le. unfold n. lia. }
  assert (Y : ln (Rmax B 1) / a <= x + INR n * h).
  { apply Rmult_le_compat_r with (r := h) in Hn; [|lra]. unfold r in Hn.
    replace ((ln (Rmax B 1) / a - x) / h * h) with (ln (Rmax B 1) / a - x) in Hn by (field; lra). lra. }
  pose proof (layers x n h0) as L. set (y := x + INR n * h) in *.
  assert (C : forall w, cut y w = f w).
  { intros w. unfold cut. apply Rmin_left. specialize (HB w). apply Rabs_le_between in HB. apply Rle_trans with (Rmax B 1);
      [pose proof (Rmax_l B 1); lra|].
    assert (0 < Rmax B 1) by (pose proof (Rmax_r B 1); lra). rewrite <- (exp_ln (Rmax B 1)) at 1 by assumption.
    apply exp_le. apply Rmult_le_compat_l with (r := a) in Y; [|lra].
    replace (a * (ln (Rmax B 1) / a)) with (ln (Rmax B 1)) in Y by (field; lra). exact Y. }
  assert (E1 : P (cut y) = P f) by (apply expect_ext; auto).
  assert (E2 : Q (raised alpha (cut y)) = Q (raised alpha f)).
  { apply expect_ext; auto. intros w. unfold raised. now rewrite C. }
  rewrite E1, E2 in L. rewrite Ex, Eh in L. pose proof (rest_nonneg (y - h)). pose proof (rest_le (x - h)).
  assert ((1 + e / 2 / (moment / alpha)) * (rest (x - h) - rest (y - h)) <= (1 + e / 2 / (moment / alpha)) * (moment / alpha))
    by (apply Rmult_le_compat_l; lra).
  replace ((1 + e / 2 / (moment / alpha)) * (moment / alpha)) with (moment / alpha + e / 2) in H1
    by (field; split; [lra | apply Rgt_not_eq, exp_pos]). lra.
Qed.
End Layers.

(** Of the multiples of [f] the best. *)
Lemma lines_at_most A (P Q : dist A) : (forall x, ind P Q x (delta x)) -> divergence_at_most alpha P Q (alpha * m / 2).
Proof.
  intros L f B N. fold (raised alpha f). pose proof (gamma_between order) as G. fold c in G |- *.
  set (T := Q (raised alpha f)). assert (T0 : 0 <= T) by now apply expect_raised.
  assert (K : forall s, 0 < s -> P f <= s * (c * (rpow (/ s) b * T) + moment / alpha)).
  { intros s S. pose proof (Rinv_0_lt_compat s S) as S'.
    pose proof (@layered A P Q (fun w => / s * f w) L) as H. rewrite expect_scale in H by exact B.
    specialize (H ltac:(auto with bounded) ltac:(intros w; specialize (N w); nra)).
    replace (Q (raised alpha (fun w => / s * f w))) with (rpow (/ s) b * T) in H.
    - apply Rmult_le_reg_l with (/ s); [exact S'|]. rewrite <- Rmult_assoc, Rinv_l, Rmult_1_l by lra. exact H.
    - unfold T. rewrite <- expect_scale by now apply bounded_raised. apply expect_ext;
      [apply bounded_scale, bounded_raised; auto|].
      intros w. unfold raised. fold b. symmetry. apply rpow_mult; [lra | apply N]. }
  assert (M0 : 0 < moment) by apply exp_pos.
  destruct T0 as [T0|T0].
  - set (s := rpow (T / moment) c). assert (S : 0 < s) by (apply rpow_gt_0, Rdiv_lt_0_compat; lra).
    specialize (K s S).
    assert (E : rpow (/ s) b * T = moment).
    { assert (I : rpow (/ s) b * rpow s b = 1).
      { rewrite <- rpow_mult, Rinv_l by (try lra; left; now apply Rinv_0_lt_compat). rewrite rpow_pos by lra.
        unfold Rpower. rewrite ln_1, Rmult_0_r. apply exp_0. }
      assert (J : rpow s b = T / moment).
      { unfold s. apply rpow_inv; [left; apply Rdiv_lt_0_compat; lra|]. rewrite Rmult_comm. apply beta_gamma. exact order. }
      rewrite J in I. apply Rmult_eq_reg_r with (/ moment); [|apply Rinv_neq_0_compat; lra].
      rewrite Rmult_assoc, Rinv_r by lra. exact I. }
    rewrite E in K. eapply Rle_trans; [exact K|]. right.
    replace (c * moment + moment / alpha) with moment by (unfold c, gamma; field; lra).
    assert (Tc : rpow T c = s * rpow moment c).
    { unfold s. rewrite <- rpow_mult by (try lra; left; apply Rdiv_lt_0_compat; lra). f_equal. field. lra. }
    rewrite Tc. transitivity (s * (exp (c * (alpha * m / 2)) * rpow moment c)); [|ring].
    unfold moment. rewrite rpow_exp, <- exp_plus. do 2 f_equal. unfold c, gamma. field. lra.
  - rewrite <- T0, rpow_0, Rmult_0_r in *. apply le_epsilon. intros e E.
    assert (MA : 0 < moment / alpha) by (apply Rdiv_lt_0_compat; lra).
    specialize (K (e / (moment / alpha)) ltac:(now apply Rdiv_lt_0_compat)). rewrite Rmult_0_r, Rmult_0_r, Rplus_0_l in K.
    replace (e / (moment / alpha) * (moment / alpha)) with e in K by (field; split; lra). lra.
Qed.
End Moments.

Lemma gaussian_at_most alpha A (P Q : dist A) m : 1 < alpha -> gaussian Q P m -> divergence_at_most alpha P Q (alpha * m / 2).
Proof.
  intros order H. apply gaussian_lines in H. destruct H as [[M|<-] H]; [now apply lines_at_most|].
  replace (alpha * 0 / 2) with 0 by field. apply at_most_pure; [exact order|].
  specialize (H 0). unfold normal_delta in H. destruct (Rle_dec 0 0) as [_|]; [|lra]. now rewrite exp_0, Rmax_left in H by lra.
Qed.

Section Conversions.
Variables (X A : Type) (m : metric X) (M : X -> dist A).

Theorem gaussian_to_renyi (mu_squared : R -> R) :
  private m gaussian M mu_squared -> private m renyi M (fun d alpha => alpha * mu_squared d / 2).
Proof. intros H d x y D alpha order. apply gaussian_at_most, H, within_sym, D. exact order. Qed.

Theorem gaussian_to_zcdp (mu_squared : R -> R) :
  private m gaussian M mu_squared -> private m zcdp M (fun d => mu_squared d / 2).
Proof.
  intros H d x y D alpha order. replace (mu_squared d / 2 * alpha) with (alpha * mu_squared d / 2) by field.
  exact (gaussian_to_renyi H d x y D order).
Qed.
End Conversions.
