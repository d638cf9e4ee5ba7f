(** * Approximate zCDP

    The pair (rho, delta) bounds the loss of P against Q where, for every order alpha > 1 and every test f,

        E_P f <= delta + exp(rho alpha/beta) (E_Q f^beta)^(1/beta),         1/alpha + 1/beta = 1.

    At delta = 0 that is zCDP, and without an order (alpha to infinity, at a fixed divergence) it is (eps, delta). For each
    order it says that all but delta of P is below a measure of that divergence: it bounds the smooth Renyi divergence.

    Bun and Steinke (2016, Definition 8.1) ask for events of probability 1 - delta, given which P and Q are within rho of each
    other. That implies this ([textbook]). What follows from theirs follows from this: it adds up, whatever the second release
    sees of the first, and leads to (eps, delta) with the same figures. For theirs, to add up needs a choice of such events for
    every first release; for this it does not. Neither has a rule for groups in which delta stays in proportion. *)
From Coq Require Import Reals Lra Psatz List.
From DPcore Require Import Distributions Indistinguishability Measures Metrics Norms Combinators Composition Partition Parallel ParallelRules Powers Renyi Conversions
  ZcdpCurve ApproxCore BoundedRange.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

Definition approximate_zcdp : measure (R * R) := fun A P Q l => 0 <= snd l /\ forall alpha, 1 < alpha -> forall f, test f ->
  P f <= snd l + exp (gamma alpha * (fst l * alpha)) * rpow (Q (fun a => rpow (f a) (beta alpha))) (gamma alpha).

Lemma test_raised A alpha (f : A -> R) : 1 < alpha -> test f -> test (raised alpha f).
Proof.
  intros Ha F a. unfold raised. destruct (F a) as [F0 F1]. split; [apply rpow_nonneg|].
  replace 1 with (rpow 1 (beta alpha)) by (rewrite rpow_pos by lra; unfold Rpower; rewrite ln_1, Rmult_0_r; apply exp_0).
  apply rpow_le; [|exact F1]. pose proof (beta_gt_1 Ha). lra.
Qed.

(** At one order, whatever is released second. *)
Lemma smooth_bind A B alpha (P Q : dist A) (K L : A -> dist B) e1 e2 d1 d2 : 1 < alpha -> 0 <= d2 ->
  (forall f, test f -> P f <= d1 + exp e1 * rpow (Q (raised alpha f)) (gamma alpha)) ->
  (forall a f, test f -> K a f <= d2 + exp e2 * rpow (L a (raised alpha f)) (gamma alpha)) ->
  forall f, test f -> bind P K f <= d1 + d2 + exp (e1 + e2) * rpow (bind Q L (raised alpha f)) (gamma alpha).
Proof.
  intros Ha N H1 H2 f F. simpl. pose proof (gamma_between Ha) as G. pose proof (beta_gt_1 Ha) as G'. pose proof (exp_pos e2) as E2.
  set (h := fun a => rpow (L a (raised alpha f)) (gamma alpha)).
  assert (Rf : test (raised alpha f)) by now apply test_raised.
  set (g := fun a => Rmin 1 (exp e2 * h a)).
  assert (h0 : forall a, 0 <= exp e2 * h a) by (intros a; apply Rmult_le_pos; [lra | apply rpow_nonneg]).
  assert (Tg : test g) by (intros a; unfold g; split; [apply Rmin_glb; [lra | apply h0] | apply Rmin_l]).
  assert (S : P (fun a => K a f) <= d2 + P g).
  { rewrite <- (expect_const P d2) at 1. rewrite <- expect_plus by auto with bounded. apply expect_le; auto with bounded.
    intros a. unfold g, Rmin. destruct (Rle_dec 1 (exp e2 * h a)); [|now apply H2]. pose proof (expect_test (K a) F). lra. }
  specialize (H1 g Tg).
  assert (U : rpow (Q (raised alpha g)) (gamma alpha) <= exp e2 * rpow (Q (fun a => L a (raised alpha f))) (gamma alpha)).
  { assert (W : Q (raised alpha g) <= rpow (exp e2) (beta alpha) * Q (fun a => L a (raised alpha f))).
    { rewrite <- expect_scale by auto with bounded. apply expect_le; [apply test_bounded, test_raised; auto | auto with bounded |].
      intros a. unfold raised at 1. eapply Rle_trans; [apply rpow_le; [lra | apply Rmin_r]|].
      rewrite rpow_mult by (try apply rpow_nonneg; lra). apply Rmult_le_compat_l; [apply rpow_nonneg|]. right. unfold h.
      apply rpow_inv; [apply expect_test; exact Rf | rewrite Rmult_comm; apply (beta_gamma Ha)]. }
    eapply Rle_trans; [apply rpow_le; [lra | exact W]|].
    assert (N' : 0 <= Q (fun a => L a (raised alpha f))) by (apply expect_nonneg; [auto with bounded | intros a; apply expect_test; exact Rf]).
    rewrite rpow_mult by (try apply rpow_nonneg; exact N').
    rewrite (rpow_inv (x := exp e2)) by (try apply (beta_gamma Ha); lra). lra. }
  rewrite exp_plus. pose proof (exp_pos e1).
  assert (exp e1 * rpow (Q (raised alpha g)) (gamma alpha) <= exp e1 * (exp e2 * rpow (Q (fun a => L a (raised alpha f))) (gamma alpha)))
    by (apply Rmult_le_compat_l; lra). lra.
Qed.

#[export] Instance composes_approximate_zcdp : composes approximate_zcdp.
Proof.
  constructor; unfold approximate_zcdp; simpl; intros A B P Q K L [r1 d1] [r2 d2] [N1 H1] H2; cbn [fst snd] in *.
  assert (N2 : 0 <= d2) by (apply Rnot_lt_le; intros C; apply (dist_inhabited P); intros a; destruct (H2 a) as [N2 _]; lra).
  split; [lra|]. intros alpha Ha f F.
  replace (gamma alpha * ((r1 + r2) * alpha)) with (gamma alpha * (r1 * alpha) + gamma alpha * (r2 * alpha)) by ring.
  apply (@smooth_bind A B alpha P Q K L); auto; [intros g G; now apply H1 | intros a g G; destruct (H2 a) as [_ W]; now apply W].
Qed.

#[export] Instance divergence_approximate_zcdp : divergence approximate_zcdp.
Proof.
  apply divergence_of_composes; [exact _ | ..]; unfold approximate_zcdp; simpl.
  - intros A P Q S. split; [lra|]. intros alpha Ha f F. rewrite Rmult_0_l, Rplus_0_l.
    exact (at_most_same Ha S (test_bounded F) (test_nonneg F)).
  - intros A P Q [r d] [r' d'] [Hr Hd] [N H]; cbn [fst snd] in *. split; [lra|]. intros alpha Ha f F.
    eapply Rle_trans; [apply (H alpha Ha f F)|]. apply Rplus_le_compat; [exact Hd|]. apply Rmult_le_compat_r; [apply rpow_nonneg|].
    apply exp_le, Rmult_le_compat_l; [pose proof (gamma_between Ha); lra | apply Rmult_le_compat_r; lra].
  - intros A P P' Q Q' [r d] HP HQ [N H]. split; [exact N|]. intros alpha Ha f F. specialize (H alpha Ha f F).
    rewrite <- (HP f) by auto with bounded. fold (raised alpha f) in *. rewrite <- (HQ (raised alpha f)); [exact H|].
    now apply test_bounded, test_raised.
Qed.

(** ** What it follows from *)

(** The definition of Bun and Steinke: P and Q are, but for delta of each, within rho of each other. The pair may be another for
    each order. *)
Theorem textbook A (P Q P' Q' : dist A) rho delta : 0 <= delta <= 1 -> mostly (1 - delta) P P' -> mostly (1 - delta) Q Q' ->
  zcdp P' Q' rho -> approximate_zcdp P Q (rho, delta).
Proof.
  intros D HP HQ Z. split; [apply D|]. cbn [fst snd]. intros alpha Ha f F. pose proof (gamma_between Ha) as G.
  pose proof (mostly_test HP F) as U. specialize (Z alpha Ha f (test_bounded F) (test_nonneg F)). fold (raised alpha f) in *.
  assert (R : test (raised alpha f)) by now apply test_raised.
  specialize (HQ _ (test_bounded R) (test_nonneg R)). pose proof (expect_test Q' R) as T. set (E := exp (gamma alpha * (rho * alpha))) in *.
  assert (E0 : 0 < E) by apply exp_pos. set (k := 1 - delta) in *. assert (K : 0 <= k <= 1) by (unfold k; lra).
  assert (V : k * rpow (Q' (raised alpha f)) (gamma alpha) <= rpow (Q (raised alpha f)) (gamma alpha)).
  { apply Rle_trans with (rpow (k * Q' (raised alpha f)) (gamma alpha)); [|apply rpow_le; lra].
    rewrite rpow_mult by lra. apply Rmult_le_compat_r; [apply rpow_nonneg|].
    destruct (proj1 K) as [K0|<-]; [|apply rpow_nonneg]. rewrite rpow_pos by exact K0. unfold Rpower.
    rewrite <- (exp_ln k) at 1 by exact K0. apply exp_le. assert (ln k <= 0) by (rewrite <- ln_1; apply ln_le; lra). nra. }
  assert (k * P' f <= k * (E * rpow (Q' (raised alpha f)) (gamma alpha))) by (apply Rmult_le_compat_l; lra).
  assert (E * (k * rpow (Q' (raised alpha f)) (gamma alpha)) <= E * rpow (Q (raised alpha f)) (gamma alpha)) by (apply Rmult_le_compat_l; lra).
  unfold k in *. lra.
Qed.

Lemma of_zcdp A (P Q : dist A) rho : zcdp P Q rho -> approximate_zcdp P Q (rho, 0).
Proof.
  intros Z. apply textbook with P Q; [lra | | | exact Z]; apply mostly_same; try apply same_refl; lra.
Qed.

Lemma of_pure A (P Q : dist A) eps : ind P Q eps 0 -> ind Q P eps 0 -> zcdp P Q (eps * eps / 2).
Proof.
  intros H K. replace (eps * eps / 2) with ((2 * eps) * (2 * eps) / 8) by field.
  apply range_zcdp with (- eps) eps; [|lra]. now apply range_of_pure.
Qed.

Lemma of_approx A (P Q : dist A) eps delta : 0 <= eps -> ind P Q eps delta -> ind Q P eps delta ->
  approximate_zcdp P Q (eps * eps / 2, delta).
Proof.
  intros E H K. pose proof (ind_delta_nonneg H) as D. destruct (Rlt_dec delta 1) as [L|L].
  - destruct (@approx_core A eps delta E (conj D L) P Q H K) as (P' & Q' & I1 & I2 & J1 & J2).
    apply textbook with P' Q'; [lra | exact J1 | exact J2 | now apply of_pure].
  - split; [exact D|]. cbn [fst snd]. intros alpha Ha f F. pose proof (expect_test P F).
    pose proof (exp_pos (gamma alpha * (eps * eps / 2 * alpha))).
    pose proof (rpow_nonneg (Q (fun a => rpow (f a) (beta alpha))) (gamma alpha)). nra.
Qed.

Section Rules.
Variables (X A : Type) (m : metric X) (M : X -> dist A).
Notation private_in ms loss := (private m ms M loss).

Theorem zcdp_to_approximate_zcdp (rho : R -> R) : private_in zcdp rho -> private_in approximate_zcdp (fun d => (rho d, 0)).
Proof. intros H d x y D. apply of_zcdp. now apply H. Qed.

Theorem pure_to_approximate_zcdp (eps : R -> R) : private_in pure eps ->
  private_in approximate_zcdp (fun d => (eps d * eps d / 2, 0)).
Proof. intros H d x y D. apply of_zcdp, of_pure; [now apply H | apply H, within_sym, D]. Qed.

Theorem approx_to_approximate_zcdp (loss : R -> R * R) : (forall d, 0 <= d -> 0 <= fst (loss d)) -> private_in approx loss ->
  private_in approximate_zcdp (fun d => (fst (loss d) * fst (loss d) / 2, snd (loss d))).
Proof.
  intros N H d x y D. apply of_approx; [apply N, (within_nonneg m _ _ _ D) | now apply H | apply H, within_sym, D].
Qed.
End Rules.

(** ** What follows from it: the deltas add up *)
Lemma smooth_ind A (P Q : dist A) rho delta alpha slack : 1 < alpha -> 0 < slack -> approximate_zcdp P Q (rho, delta) ->
  ind P Q (tight_epsilon rho slack alpha) (delta + slack).
Proof.
  intros Ha Hs [_ H] f F. specialize (H alpha Ha f F). cbn [fst snd] in H. fold (raised alpha f) in H.
  pose proof (order_le Ha Q (rho * alpha) Hs F) as K. unfold tight_epsilon, order_epsilon. lra.
Qed.

Lemma smooth_at A (P Q : dist A) rho delta eps alpha : 1 < alpha -> approximate_zcdp P Q (rho, delta) ->
  ind P Q eps (delta + order_delta rho eps alpha).
Proof.
  intros Ha H. pose proof (smooth_ind Ha (order_delta_pos rho eps Ha) H) as K. now rewrite order_delta_solves in K.
Qed.

Theorem approximate_zcdp_to_approx X A (m : metric X) (M : X -> dist A) (loss : R -> R * R) (alpha : R -> R) slack :
  0 < slack -> (forall d, 0 <= d -> 1 < alpha d) -> private m approximate_zcdp M loss ->
  private m approx M (fun d => (Rmax 0 (tight_epsilon (fst (loss d)) slack (alpha d)), snd (loss d) + slack)).
Proof.
  intros Hs Ha H d x y D. apply ind_weaken with (tight_epsilon (fst (loss d)) slack (alpha d)) (snd (loss d) + slack);
    [apply Rmax_r | apply Rle_refl|]. apply smooth_ind; [apply Ha, (within_nonneg m _ _ _ D) | exact Hs|].
  rewrite <- surjective_pairing. now apply H.
Qed.

Theorem approximate_zcdp_to_profile X A (m : metric X) (M : X -> dist A) (loss : R -> R * R) (alpha : R -> R -> R) :
  (forall d eps, 1 < alpha d eps) -> private m approximate_zcdp M loss ->
  private m profile M (fun d eps => snd (loss d) + order_delta (fst (loss d)) eps (alpha d eps)).
Proof. intros Ha H d x y D eps _. apply smooth_at; [apply Ha|]. rewrite <- surjective_pairing. now apply H. Qed.

(** ** Several releases *)
Theorem compose_approximate_zcdp X A (m : metric X) (Ms : list (X -> dist A)) (ls : list (R -> R * R)) :
  Forall2 (private m approximate_zcdp) Ms ls ->
  private m approximate_zcdp (all Ms) (fun d => (sum (fun l => fst (l d)) ls, sum (fun l => snd (l d)) ls)).
Proof. intros H d x y K. rewrite <- (plus_all_pairs (fun l : R -> R * R => l d)). exact (compose H d x y K). Qed.

(** Of a row more or less: it touches one part. *)
Theorem parallel_symmetric_approximate_zcdp K T A (eqK : forall a b : K, {a = b} + {a <> b}) (ks : list K)
  (M : K -> list T -> dist A) (loss : K -> R * R) : NoDup ks -> (forall k, In k ks -> respects symmetric (M k)) ->
  (forall k, In k ks -> private_at symmetric approximate_zcdp (M k) 1 (loss k)) ->
  private_at (parts_symmetric ks) approximate_zcdp (parallel M ks) 1
    (top (map (fun k => fst (loss k)) ks), top (map (fun k => snd (loss k)) ks)).
Proof.
  intros N order H. rewrite <- largest_pairs. exact (parallel_symmetric_step eqK N (ms := approximate_zcdp) M loss order H).
Qed.
