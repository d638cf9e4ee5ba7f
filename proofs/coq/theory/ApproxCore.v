(** * The pure core of an (eps, delta) pair

    If P and Q are (eps, delta)-indistinguishable both ways,
      then all but delta of each is a pair that is eps-indistinguishable
    purely ([approx_core]). The core is made from the meets of P with [exp eps] times Q, and of Q with [exp eps] times P. *)
From Coq Require Import Reals Lra Psatz.
From DPcore Require Import Distributions Indistinguishability Meet.
Open Scope R_scope.
Set Implicit Arguments.

(** [P] is [P'] but for at most [1 - m] of it. *)
Definition mostly {A} (m : R) (P P' : dist A) := forall f, bounded f -> nonneg f -> m * P' f <= P f.

Lemma mostly_test A m (P P' : dist A) f : mostly m P P' -> test f -> P f <= 1 - m + m * P' f.
Proof.
  intros H F. assert (F' : test (fun a => 1 + -1 * f a)) by (intros a; destruct (F a); lra).
  specialize (H _ (test_bounded F') (test_nonneg F')). rewrite !expect_plus, !expect_scale,
    !expect_const in H by auto with bounded. lra.
Qed.

Lemma mostly_bind A B m n (P P' : dist A) (K K' : A -> dist B) : 0 <= m -> 0 <= n ->
  mostly m P P' -> (forall a, mostly n (K a) (K' a)) -> mostly (m * n) (bind P K) (bind P' K').
Proof.
  intros Hm Hn H HK f Bf Nf. simpl.
  assert (S : n * P (fun a => K' a f) <= P (fun a => K a f)).
  { rewrite <- expect_scale by auto with bounded. apply expect_le; auto with bounded. intros a; now apply HK. }
  assert (N' : nonneg (fun a => K' a f)) by (intros a; now apply expect_nonneg).
  specialize (H _ (bounded_expect K' Bf) N'). rewrite Rmult_assoc, (Rmult_comm n), <- Rmult_assoc, Rmult_comm.
  eapply Rle_trans; [apply Rmult_le_compat_l; [exact Hn | exact H] | exact S].
Qed.

Lemma mostly_same A m (P P' : dist A) : m <= 1 -> same P P' -> mostly m P P'.
Proof. intros H S f B N. rewrite (S f B). pose proof (expect_nonneg P' B N). nra. Qed.

Section Core.
Variables (A : Type) (eps delta : R).
Hypothesis eps_nonneg : 0 <= eps.
Hypothesis delta_between : 0 <= delta < 1.
Let c := exp eps.

Lemma c_ge_1 : 1 <= c. Proof. now apply exp_ge_1. Qed.

Lemma mass_ge (P Q : dist A) : ind P Q eps delta -> 1 - delta <= mass P Q c.
Proof.
  intros H. apply meet_ge; [pose proof c_ge_1; lra | auto with bounded | intros a; lra |]. intros g K.
  assert (F : test (fun a => 1 + -1 * g a)) by (intros a; specialize (K a); lra). specialize (H _ F). fold c in H.
  assert (Bg : bounded g) by (apply test_bounded; intros a; specialize (K a); lra).
  rewrite expect_plus, expect_scale, expect_const in H by auto with bounded. lra.
Qed.

(** The meet of P with c Q is at most c times that of Q with c P: swap the two parts of a split. *)
Lemma meets (P Q : dist A) f : bounded f -> nonneg f -> meet P Q c f <= c * meet Q P c f.
Proof.
  intros B N. pose proof c_ge_1 as C. assert (H : / c * meet P Q c f <= meet Q P c f).
  { apply meet_ge; [lra | exact B | exact N |]. intros g K. pose proof (between_bounded B K).
    assert (K' : between (fun a => f a + -1 * g a) f) by (intros a; specialize (K a); lra).
    pose proof (@meet_le_split A P Q c ltac:(lra) f _ B K') as S.
    cbv beta in S. rewrite (@expect_ext A Q (fun a => f a + -1 * (f a + -1 * g a)) g) in S;
      [| auto with bounded | intros; ring].
    assert (0 <= P (fun a => f a + -1 * g a)) by (apply expect_nonneg; [auto with bounded | intros a; specialize (K a);
      lra]).
    apply Rmult_le_reg_l with c; [lra|]. rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by lra.
    set (u := P (fun a => f a + -1 * g a)) in *. assert (1 * u <= c * c * u) by (apply Rmult_le_compat_r; nra). lra. }
  apply Rmult_le_compat_l with (r := c) in H; [|lra]. rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l in H; lra.
Qed.

Definition core (P Q : dist A) := exists P' Q',
  ind P' Q' eps 0 /\ ind Q' P' eps 0 /\ mostly (1 - delta) P P' /\ mostly (1 - delta) Q Q'.

Lemma core_ordered (P Q : dist A) : ind P Q eps delta -> ind Q P eps delta -> mass Q P c <= mass P Q c -> core P Q.
Proof.
  intros H K O. pose proof c_ge_1 as C. pose proof (mass_ge H) as M1. pose proof (mass_ge K) as M2.
  set (m1 := mass P Q c) in *. set (m2 := mass Q P c) in *. assert (c0 : 0 <= c) by lra.
  assert (p1 : 0 < m1) by lra. assert (p2 : 0 < m2) by lra.
  set (p := meet_dist P Q c0 p1). set (q := meet_dist Q P c0 p2).
  assert (V : forall f, bounded f -> nonneg f -> 0 <= p f /\ 0 <= q f /\ m1 * p f <= P f /\ m2 * q f <= Q f /\ m2 * q f
    <= c * P f /\
    m1 * p f <= c * (m2 * q f) /\ m2 * q f <= c * (m1 * p f)).
  { intros f B N. pose proof (meet_dist_value P Q c0 p1 B N) as Ep. pose proof (meet_dist_value Q P c0 p2 B N) as Eq.
    fold m1 p in Ep. fold m2 q in Eq. rewrite Ep, Eq. repeat split; try (now apply expect_nonneg).
    - now apply meet_le_P. - now apply meet_le_P. - now apply meet_le_Q. - now apply meets. - now apply meets. }
  (* P' is a mixture of p and q, in such a proportion that masses fit *)
  set (r := m1 / m2). assert (r1 : 1 <= r).
  { apply Rmult_le_reg_r with m2; [exact p2|]. unfold r, Rdiv. rewrite Rmult_assoc, Rinv_l; lra. }
  assert (m1r : m1 = r * m2) by (unfold r; field; lra).
  destruct (Req_dec (c * r) 1) as [E|E].
  - (* eps = 0 and equal masses *)
    assert (c = 1) by nra. assert (r = 1) by nra. exists p, q. repeat split.
    + intros f F. fold c. destruct (V f (test_bounded F) (test_nonneg F)) as (_ & _ & _ & _ & _ & V1 & _).
      rewrite m1r in V1. apply Rmult_le_reg_l with m2; [exact p2|]. nra.
    + intros f F. fold c. destruct (V f (test_bounded F) (test_nonneg F)) as (_ & _ & _ & _ & _ & _ & V1).
      rewrite m1r in V1. apply Rmult_le_reg_l with m2; [exact p2|]. nra.
    + intros f B N. destruct (V f B N) as (V0 & _ & V1 & _). nra.
    + intros f B N. destruct (V f B N) as (_ & V0 & _ & V1 & _). nra.
  - assert (cr : 0 < c * r - 1) by (assert (1 <= c * r) by nra; lra).
    set (t := (r - 1) / (c * r - 1)).
    assert (T : 0 <= t <= 1).
    { split; [apply Rmult_le_pos; [lra | left; now apply Rinv_0_lt_compat]|].
      apply Rmult_le_reg_r with (c * r - 1); [exact cr|]. unfold t, Rdiv. rewrite Rmult_assoc, Rinv_l; nra. }
    assert (T1 : (c * r - 1) * t = r - 1) by (unfold t; field; lra).
    assert (T2 : (c * r - 1) * (1 - t) = r * (c - 1)) by lra.
    exists (mix T q p), q. repeat split.
    + (* P' <= c q *)
      intros f F. fold c. destruct (V f (test_bounded F) (test_nonneg F)) as (V0 & W0 & _ & _ & _ & V1 & _).
      rewrite Rplus_0_r.
      change (mix T q p f) with (t * q f + (1 - t) * p f).
      rewrite m1r in V1. assert (V2 : r * p f <= c * q f) by (apply Rmult_le_reg_l with m2; [exact p2 | lra]).
      apply Rmult_le_reg_l with (c * r - 1); [exact cr|]. rewrite Rmult_plus_distr_l, <- !Rmult_assoc, T1, T2.
      assert ((c - 1) * (r * p f) <= (c - 1) * (c * q f)) by (apply Rmult_le_compat_l; lra).
      assert (c2 : 0 <= c * c - 1) by nra.
      assert (0 <= (r - 1) * (c * c - 1) * q f) by (apply Rmult_le_pos; [apply Rmult_le_pos; lra | exact W0]). lra.
    + (* q <= c P' *)
      intros f F. fold c. destruct (V f (test_bounded F) (test_nonneg F)) as (V0 & W0 & _ & _ & _ & _ & V1).
      rewrite Rplus_0_r.
      change (mix T q p f) with (t * q f + (1 - t) * p f).
      rewrite m1r in V1. assert (V2 : q f <= c * (r * p f)) by (apply Rmult_le_reg_l with m2; [exact p2 | lra]).
      apply Rmult_le_reg_l with (c * r - 1); [exact cr|].
      replace ((c * r - 1) * (c * (t * q f + (1 - t) * p f))) with (c * ((c * r - 1) * t * q f + (c * r - 1) * (1 - t)
        * p f)) by ring.
      rewrite T1, T2. assert ((c - 1) * q f <= (c - 1) * (c * (r * p f))) by (apply Rmult_le_compat_l; lra). nra.
    + (* (1 - delta) P' <= P *)
      intros f B N. destruct (V f B N) as (V0 & W0 & V1 & _ & V2 & _ & _). rewrite m1r in V1.
      change (mix T q p f) with (t * q f + (1 - t) * p f).
      apply Rle_trans with (m2 * (t * q f + (1 - t) * p f)).
      * apply Rmult_le_compat_r; [|exact M2]. apply Rplus_le_le_0_compat; apply Rmult_le_pos; lra.
      * apply Rmult_le_reg_l with (c * r - 1); [exact cr|].
        replace ((c * r - 1) * (m2 * (t * q f + (1 - t) * p f))) with ((c * r - 1) * t * (m2 * q f) + (c * r - 1) * (1
          - t) * (m2 * p f)) by ring.
        rewrite T1, T2. assert ((r - 1) * (m2 * q f) <= (r - 1) * (c * P f)) by (apply Rmult_le_compat_l; lra).
        assert ((c - 1) * (r * m2 * p f) <= (c - 1) * P f) by (apply Rmult_le_compat_l; lra). nra.
    + intros f B N. destruct (V f B N) as (_ & V0 & _ & V1 & _). nra.
Qed.

Theorem approx_core (P Q : dist A) : ind P Q eps delta -> ind Q P eps delta -> core P Q.
Proof.
  intros H K. destruct (Rle_dec (mass Q P c) (mass P Q c)) as [O|O]; [now apply core_ordered|].
  destruct (core_ordered K H) as (Q' & P' & E1 & E2 & E3 & E4); [lra|]. exists P', Q'; auto.
Qed.
End Core.
