(** * Group privacy of RenyiDP and of trade-off curves

    Data [n] apart are joined by [n] steps of 1, and of each step a curve is known.

    Of a trade-off curve [b]: the true-positive rate after one step is the false-positive rate of the next, so with
    [h_0(a) = 1 - a] the curve of [n] steps is [h_n(a) = b(1 - h_{n-1}(a))] (Dong, Roth, Su 2022, Theorem 2.14). Nothing is
    asked of [b], neither that it is convex nor that it falls: a test can be made to accept more ([tradeoff_falls]).

    Of a Renyi curve [e]: a bound at order [u/(u-1)] reads [E_P f <= exp E (E_Q f^u)^(1/u)], and two such bounds compose with
    [u = v w]; this is the weak triangle inequality (Mironov 2017, Proposition 11) for all pairs of orders at once. A chain of
    [n] steps is free to divide [u] into [n] factors. Those whose partial products are evenly spaced give the orders
    [n (alpha - 1) + i] and the bound [n alpha (sum over i of e(n (alpha - 1) + i) / (n (alpha - 1) + i))]. Where
    [e(alpha) = c alpha] that is [n^2 c alpha], so no other division is better there. *)
From Coq Require Import Reals ZArith Lra Psatz Lia.
From DPcore Require Import Distributions Indistinguishability Measures Metrics Powers Renyi Conversions.
Open Scope R_scope.
Set Implicit Arguments.

(** ** Trade-off curves *)
Fixpoint missed (b : R -> R) (n : nat) (alpha : R) : R :=
  match n with O => 1 - alpha | S n => b (1 - Rmax 0 (missed b n alpha)) end.

Section Group.
Variables (X A : Type) (m : metric X) (M : X -> dist A).
Hypothesis steps : whole m.
Hypothesis order : respects m M.

Theorem group_tradeoff (b : R -> R) : private_at m tradeoff M 1 b ->
  private m tradeoff M (fun d => missed b (Z.to_nat (Int_part d))).
Proof.
  intros H d x y D. destruct (steps d x y D) as (n & Hn & Rn). rewrite (@floor_INR n) by exact Hn. clear d D Hn. intros f F.
  revert y Rn; induction n as [|n IH]; intros y Rn; simpl.
  - rewrite (order x y Rn) by auto with bounded. lra.
  - destruct Rn as (z & Rn & S). specialize (IH z Rn). apply (tradeoff_falls (H z y S) F).
    pose proof (expect_test (M z) F). pose proof (Rmax_l 0 (missed b n (M x f))). split; [|lra].
    unfold Rmax. destruct (Rle_dec 0 (missed b n (M x f))); lra.
Qed.

(** ** Renyi divergences *)
Definition under (u E : R) (P Q : dist A) :=
  forall f, bounded f -> nonneg f -> P f <= exp E * rpow (Q (fun a => rpow (f a) u)) (/ u).

Lemma under_order (P Q : dist A) alpha e : 1 < alpha -> divergence_at_most alpha P Q e <-> under (beta alpha) (gamma alpha * e) P Q.
Proof. intros O. unfold under, divergence_at_most. now replace (/ beta alpha) with (gamma alpha) by (unfold beta, gamma; field; lra). Qed.

Lemma under_trans (P Q T : dist A) v w E F : 0 < v -> 0 < w -> under v E P Q -> under w F Q T -> under (v * w) (E + F / v) P T.
Proof.
  intros Hv Hw H K f Bf Nf. set (g := fun a => rpow (f a) v). assert (Bg : bounded g) by (apply bounded_rpow; [lra | exact Bf]).
  assert (Ng : nonneg g) by (intros a; apply rpow_nonneg). specialize (H f Bf Nf). specialize (K g Bg Ng). fold g in H.
  replace (T (fun a => rpow (g a) w)) with (T (fun a => rpow (f a) (v * w))) in K.
  2:{ apply expect_ext; [apply bounded_rpow; [nra | exact Bf]|]. intros a; unfold g. rewrite rpow_rpow by apply Nf. reflexivity. }
  set (t := T (fun a => rpow (f a) (v * w))) in *.
  assert (Hi : 0 < / v) by (apply Rinv_0_lt_compat; lra).
  eapply Rle_trans; [exact H|]. eapply Rle_trans.
  - apply Rmult_le_compat_l; [left; apply exp_pos|]. apply rpow_le; [lra | exact K].
  - right. rewrite rpow_mult, rpow_exp, rpow_rpow, <- Rmult_assoc, <- exp_plus.
    + f_equal; [f_equal; unfold Rdiv; ring | f_equal; field; lra].
    + apply expect_nonneg; [apply bounded_rpow; [nra | exact Bf] | intros a; apply rpow_nonneg].
    + left; apply exp_pos.
    + apply rpow_nonneg.
Qed.

(** [e 1 / (t + 1) + ... + e n / (t + n)] *)
Fixpoint weighted (t : R) (e : nat -> R) (n : nat) : R := match n with O => 0 | S k => weighted t e k + e n / (t + INR n) end.

Lemma reach_under t e n x y : 0 < t -> reach m n x y ->
  (forall i, (1 <= i <= n)%nat -> private_at m (renyi_at (t + INR i)) M 1 (e i)) -> under ((t + INR n) / t) (t * weighted t e n) (M x) (M y).
Proof.
  intros Ht. revert y; induction n as [|n IH]; intros y Rn H.
  - simpl. rewrite Rplus_0_r. replace (t / t) with 1 by (field; lra). intros f Bf Nf. rewrite Rmult_0_r, exp_0, Rinv_1, Rmult_1_l.
    assert (E : M y (fun a => rpow (f a) 1) = M y f) by (apply expect_ext; [apply bounded_rpow; [lra | exact Bf] | intros a; apply rpow_1, Nf]).
    rewrite E, rpow_1 by now apply expect_nonneg. right. now apply (order x y Rn).
  - destruct Rn as (z & Rn & S). assert (In : forall i, (1 <= i <= n)%nat -> private_at m (renyi_at (t + INR i)) M 1 (e i)) by (intros i I; apply H; lia).
    specialize (IH z Rn In). specialize (H (Datatypes.S n) ltac:(lia) z y S). change (divergence_at_most (t + INR (Datatypes.S n)) (M z) (M y) (e (Datatypes.S n))) in H.
    pose proof (pos_INR n). cbn [weighted]. rewrite S_INR in *. rewrite under_order in H by lra.
    assert (B : beta (t + (INR n + 1)) = (t + (INR n + 1)) / (t + INR n)) by (unfold beta; f_equal; ring).
    assert (V : 0 < (t + INR n) / t) by (apply Rdiv_lt_0_compat; lra).
    assert (W : 0 < beta (t + (INR n + 1))) by (rewrite B; apply Rdiv_lt_0_compat; lra).
    pose proof (under_trans V W IH H) as K. rewrite B in K.
    replace ((t + INR n) / t * ((t + (INR n + 1)) / (t + INR n))) with ((t + (INR n + 1)) / t) in K by (field; lra).
    replace (t * (weighted t e n + e (Datatypes.S n) / (t + (INR n + 1)))) with
      (t * weighted t e n + gamma (t + (INR n + 1)) * e (Datatypes.S n) / ((t + INR n) / t)) by (unfold gamma; field; lra).
    exact K.
Qed.

(** At one order: what is asked of a step is asked at [n] orders. *)
Lemma reach_renyi alpha e n x y : 1 < alpha -> reach m n x y ->
  (forall i, (1 <= i <= n)%nat -> private_at m (renyi_at (INR n * (alpha - 1) + INR i)) M 1 (e i)) ->
  divergence_at_most alpha (M x) (M y) (INR n * alpha * weighted (INR n * (alpha - 1)) e n).
Proof.
  intros O Rn H. destruct n as [|n].
  - simpl. rewrite !Rmult_0_l. apply at_most_same; [exact O | now apply order].
  - assert (N : 0 < INR (S n)) by (apply lt_0_INR; lia). set (k := INR (S n)) in *. set (t := k * (alpha - 1)) in *.
    assert (Ht : 0 < t) by (apply Rmult_lt_0_compat; lra). pose proof (reach_under e x y Ht Rn H) as K. fold k in K.
    rewrite under_order by exact O.
    replace (beta alpha) with ((t + k) / t) by (unfold beta, t; field; lra).
    replace (gamma alpha * (k * alpha * weighted t e (S n))) with (t * weighted t e (S n)) by (unfold gamma, t; field; lra). exact K.
Qed.

Definition group_orders (l : R -> R) (n : nat) (alpha : R) : R :=
  let t := INR n * (alpha - 1) in INR n * alpha * weighted t (fun i => l (t + INR i)) n.

Theorem group_renyi (l : R -> R) : private_at m renyi M 1 l ->
  private m renyi M (fun d => group_orders l (Z.to_nat (Int_part d))).
Proof.
  intros H d x y D alpha O. destruct (steps d x y D) as (n & Hn & Rn). rewrite (@floor_INR n) by exact Hn.
  apply reach_renyi with (1 := O) (2 := Rn). intros i I u v S. apply (H u v S).
  assert (1 <= INR i) by (apply (le_INR 1); lia). assert (1 <= INR n) by (apply (le_INR 1); lia). nra.
Qed.
End Group.

(** The division of the orders loses nothing on the curve of Gaussian noise. *)
Lemma group_orders_linear c n alpha : 1 < alpha -> group_orders (fun a => c * a) n alpha = INR n * INR n * c * alpha.
Proof.
  intros O. unfold group_orders. cbv zeta. set (t := INR n * (alpha - 1)).
  assert (T : 0 <= t) by (pose proof (pos_INR n); unfold t; nra).
  assert (W : forall k, weighted t (fun i => c * (t + INR i)) k = INR k * c).
  { induction k as [|k IH]; [simpl; ring|]. cbn [weighted]. rewrite IH, S_INR. pose proof (pos_INR k). field. lra. }
  rewrite W. ring.
Qed.
