(** * Mills' ratio: the tail of the normal distribution over its density

    Far out it is a continued fraction, whose convergents lie below and above it by turns. Near 0, what lies between 0 and x is
    the density times a series of positive terms. Both in the form in which bounds can be computed. *)
From Coq Require Import Reals Lra Psatz Lia.
From Coquelicot Require Import Coquelicot.
From DPcore Require Import Indistinguishability Normal.
Open Scope R_scope.
Set Implicit Arguments.

Definition mills (x : R) : R := Phi (- x) / phi x.

Lemma Phi_mills x : Phi (- x) = phi x * mills x.
Proof. pose proof (phi_pos x). unfold mills. field. lra. Qed.
Lemma mills_pos x : 0 < mills x.
Proof. apply Rdiv_lt_0_compat; [apply Phi_between | apply phi_pos]. Qed.

Lemma Phi_opp_derive x : is_derive (fun x => Phi (- x)) x (- phi x).
Proof.
  evar_last; [apply (is_derive_comp Phi Ropp x (phi (- x)) (-1)); [apply Phi_derive | auto_derive; [exact I | ring]]|].
  rewrite phi_even. unfold scal; simpl; unfold mult; simpl. ring.
Qed.

(** ** The tail is below every exponential *)
Lemma phi_exponential k : 0 < k -> exists C, 0 < C /\ forall x, phi x <= C * exp (- (k * x)).
Proof.
  intros K. pose proof half_pos as H. exists (exp (k * k / 2) / (2 * half)).
  split; [apply Rdiv_lt_0_compat; [apply exp_pos | lra]|]. intros x. unfold phi, bell.
  replace (exp (k * k / 2) / (2 * half) * exp (- (k * x))) with (exp (k * k / 2 + - (k * x)) / (2 * half)) by (rewrite exp_plus; field; lra).
  apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|]. apply exp_le.
  pose proof (Rle_0_sqr (x - k)) as S. unfold Rsqr in S. lra.
Qed.

Lemma tail_exponential k : 0 < k -> exists C, 0 < C /\ forall x, Phi (- x) <= C * exp (- (k * x)).
Proof.
  intros K. destruct (phi_exponential K) as (c & c0 & B). assert (0 < / k) by now apply Rinv_0_lt_compat.
  exists (c * / k). split; [now apply Rmult_lt_0_compat|]. intros x. apply le_epsilon. intros e E.
  destruct (Phi_near_0 E) as (t & T). set (y := Rmax x (- t)).
  assert (Y : Phi (- y) < e).
  { eapply Rle_lt_trans; [|exact T]. apply Phi_le. unfold y. pose proof (Rmax_r x (- t)). lra. }
  assert (M : Phi (- x) - c * / k * exp (- (k * x)) <= Phi (- y) - c * / k * exp (- (k * y))).
  { apply rises with (f := fun u => Phi (- u) - c * / k * exp (- (k * u))) (f' := fun u => - phi u + c * exp (- (k * u))).
    - intros u _. apply (is_derive_plus (fun u => Phi (- u)) (fun u => - (c * / k * exp (- (k * u)))) u _ _); [apply Phi_opp_derive|].
      auto_derive; [exact I | field; lra].
    - intros u _. specialize (B u). lra.
    - apply Rmax_l. }
  assert (0 < c * / k * exp (- (k * y))) by (apply Rmult_lt_0_compat; [now apply Rmult_lt_0_compat | apply exp_pos]). lra.
Qed.

(** ** The continued fraction

    The density, its tail, the tail of that, and so on: each is minus the derivative of the next, and all are positive. *)
Fixpoint tails (k : nat) (x : R) : R :=
  match k with
  | O => phi x
  | S k' => match k' with O => Phi (- x) | S k'' => (tails k'' x - x * tails k' x) / INR k' end
  end.

Lemma tails_next k x : tails k x = x * tails (S k) x + INR (S k) * tails (S (S k)) x.
Proof.
  change (tails (S (S k)) x) with ((tails k x - x * tails (S k) x) / INR (S k)).
  pose proof (lt_0_INR (S k) ltac:(lia)). field. lra.
Qed.

Lemma tails_derive k x : is_derive (tails (S k)) x (- tails k x).
Proof.
  revert x. assert (H : forall x, is_derive (tails (S k)) x (- tails k x) /\ is_derive (tails (S (S k))) x (- tails (S k) x)); [|apply H].
  assert (step : forall k x d, is_derive (tails k) x d -> is_derive (tails (S k)) x (- tails k x) ->
    is_derive (tails (S (S k))) x ((d - tails (S k) x + x * tails k x) / INR (S k))).
  { clear. intros k x d H0 H1. pose proof (lt_0_INR (S k) ltac:(lia)).
    change (is_derive (fun x => (tails k x - x * tails (S k) x) * / INR (S k)) x ((d - tails (S k) x + x * tails k x) / INR (S k))).
    evar_last; [apply (is_derive_scal_l (fun x => tails k x - x * tails (S k) x) x (d - (1 * tails (S k) x + x * - tails k x)) (/ INR (S k)))|].
    - apply (is_derive_minus (tails k)); [exact H0|].
      apply (is_derive_mult (fun x => x) (tails (S k))); [auto_derive; [exact I | ring] | exact H1 | apply Rmult_comm].
    - unfold scal; simpl; unfold mult; simpl. unfold Rdiv. ring. }
  induction k as [|k IH]; intros x.
  - assert (H1 : is_derive (tails 1) x (- tails 0 x)) by apply Phi_opp_derive. split; [exact H1|].
    evar_last; [apply (step 0%nat x _ (phi_derive x) H1)|]. simpl. field.
  - destruct (IH x) as [H0 H1]. split; [exact H1|]. evar_last; [apply (step _ _ _ H0 H1)|].
    rewrite (tails_next k x) at 1. pose proof (lt_0_INR (S k) ltac:(lia)). rewrite (S_INR (S k)) in *. field. lra.
Qed.

Lemma tails_exponential k a : 0 < a -> exists C, 0 < C /\ forall x, 0 <= x -> Rabs (tails k x) <= C * exp (- (a * x)).
Proof.
  revert a. assert (H : forall a, 0 < a -> (exists C, 0 < C /\ forall x, 0 <= x -> Rabs (tails k x) <= C * exp (- (a * x))) /\
    exists C, 0 < C /\ forall x, 0 <= x -> Rabs (tails (S k) x) <= C * exp (- (a * x))); [|apply H].
  induction k as [|k IH]; intros a A.
  - destruct (phi_exponential A) as (C & C0 & B), (tail_exponential A) as (D & D0 & E). split; [exists C | exists D]; (split; [assumption|]);
      intros x _; (rewrite Rabs_pos_eq; [apply B || apply E|]); left; [apply phi_pos | apply Phi_between].
  - split; [exact (proj2 (IH a A))|].
    destruct (IH a A) as [(C & C0 & B) _], (IH (a + 1) ltac:(lra)) as [_ (D & D0 & E)].
    exists (C + D). split; [lra|]. intros x X. specialize (B x X). specialize (E x X). pose proof (lt_0_INR (S k) ltac:(lia)) as K.
    change (tails (S (S k)) x) with ((tails k x - x * tails (S k) x) * / INR (S k)).
    assert (1 <= INR (S k)) by (rewrite S_INR; pose proof (pos_INR k); lra).
    assert (/ INR (S k) <= 1) by (rewrite <- Rinv_1; apply Rinv_le_contravar; lra).
    assert (0 < / INR (S k)) by now apply Rinv_0_lt_compat.
    assert (F : x * (D * exp (- ((a + 1) * x))) <= D * exp (- (a * x))).
    { replace (- (a * x)) with (- ((a + 1) * x) + x) by ring. rewrite exp_plus. pose proof (exp_ineq1_le x). pose proof (exp_pos (- ((a + 1) * x))).
      assert (0 < D * exp (- ((a + 1) * x))) by now apply Rmult_lt_0_compat. nra. }
    rewrite Rabs_mult, (Rabs_pos_eq (/ _)) by lra.
    assert (G : Rabs (tails k x - x * tails (S k) x) <= (C + D) * exp (- (a * x))).
    { eapply Rle_trans; [apply Rabs_triang|]. rewrite Rabs_Ropp, Rabs_mult, (Rabs_pos_eq x) by exact X.
      assert (x * Rabs (tails (S k) x) <= x * (D * exp (- ((a + 1) * x)))) by (apply Rmult_le_compat_l; lra). lra. }
    pose proof (Rabs_pos (tails k x - x * tails (S k) x)). nra.
Qed.

(** They fall, and towards 0. *)
Lemma tails_pos k x : 0 <= x -> 0 < tails k x.
Proof.
  revert x. induction k as [|k IH]; intros x X; [apply phi_pos|]. apply Rnot_le_lt. intros N.
  assert (F : forall u v, 0 <= u -> u < v -> tails (S k) v < tails (S k) u).
  { intros u v U V. destruct (MVT_gen (tails (S k)) u v (fun t => - tails k t)) as (c & I & E).
    - intros t _. apply tails_derive.
    - intros t _. apply continuity_pt_filterlim, (ex_derive_continuous (tails (S k))). eexists. apply tails_derive.
    - rewrite Rmin_left, Rmax_right in I by lra. specialize (IH c ltac:(lra)). nra. }
  pose proof (F x (x + 1) X ltac:(lra)) as L. set (c := - tails (S k) (x + 1)) in *.
  destruct (tails_exponential (S k) Rlt_0_1) as (C & C0 & B). set (y := Rmax (x + 2) (C / c)).
  assert (Y1 : x + 2 <= y) by apply Rmax_l. assert (Y2 : C / c <= y) by apply Rmax_r.
  specialize (B y ltac:(lra)). pose proof (F (x + 1) y ltac:(lra) ltac:(lra)) as L'.
  rewrite Rabs_left in B by (unfold c in *; lra). rewrite Rmult_1_l, exp_Ropp in B. pose proof (exp_ineq1 y ltac:(lra)) as G.
  assert (C * / exp y * exp y = C) by (field; pose proof (exp_pos y); lra).
  apply (Rmult_le_compat_r c) in Y2; [|unfold c; lra]. unfold Rdiv in Y2. rewrite Rmult_assoc, Rinv_l in Y2 by (unfold c; lra).
  unfold c in *. nra.
Qed.

(** [fraction 0] is Mills' ratio. *)
Definition fraction (k : nat) (x : R) : R := tails (S k) x / tails k x.

Lemma fraction_mills x : fraction 0 x = mills x. Proof. reflexivity. Qed.
Lemma fraction_pos k x : 0 <= x -> 0 < fraction k x.
Proof. intros X. apply Rdiv_lt_0_compat; now apply tails_pos. Qed.
Lemma fraction_next k x : 0 <= x -> fraction k x * (x + INR (S k) * fraction (S k) x) = 1.
Proof.
  intros X. pose proof (tails_pos k X). pose proof (tails_pos (S k) X). unfold fraction. rewrite (tails_next k x) in *.
  field. split; lra.
Qed.

Lemma mills_derive x : is_derive mills x (x * mills x - 1).
Proof.
  pose proof (phi_pos x). unfold mills. evar_last; [apply (is_derive_div (fun x => Phi (- x)) phi x _ _ (Phi_opp_derive x) (phi_derive x)); lra|].
  field. lra.
Qed.

Lemma mills_falls x y : 0 <= x -> x <= y -> mills y <= mills x.
Proof.
  intros X L. assert (H : - mills x <= - mills y); [|lra].
  apply rises with (f := fun x => - mills x) (f' := fun x => - (x * mills x - 1)); [| |exact L].
  - intros t _. apply (is_derive_opp mills), mills_derive.
  - intros t T. pose proof (@fraction_next 0 t ltac:(lra)) as F. rewrite fraction_mills in F.
    pose proof (mills_pos t). pose proof (@fraction_pos 1 t ltac:(lra)). simpl INR in F. nra.
Qed.

(** ** The series: [x + x^3/3 + x^5/(3 5) + ...] times the density is the area from 0 on *)
Fixpoint odd_term (i : nat) (x : R) : R := match i with O => x | S i' => odd_term i' x * (x * x) / INR (2 * i + 1) end.
Fixpoint odd_sum (i : nat) (x : R) : R := match i with O => x | S i' => odd_sum i' x + odd_term i x end.

Lemma odd_term_nonneg i x : 0 <= x -> 0 <= odd_term i x.
Proof.
  intros X. induction i as [|i IH]; [exact X|]. cbn [odd_term]. apply Rmult_le_pos; [apply Rmult_le_pos; nra|].
  left. apply Rinv_0_lt_compat, lt_0_INR. lia.
Qed.

Lemma odd_term_derive i x : is_derive (odd_term (S i)) x (x * odd_term i x).
Proof.
  revert x. assert (D0 : forall x, is_derive (odd_term 0) x 1) by (intros; simpl; auto_derive; [exact I | ring]).
  assert (step : forall i d x, is_derive (odd_term i) x d ->
    is_derive (odd_term (S i)) x ((d * (x * x) + odd_term i x * (2 * x)) / INR (2 * S i + 1))).
  { clear. intros i d x H. cbn [odd_term]. unfold Rdiv.
    apply (is_derive_scal_l (fun x => odd_term i x * (x * x)) x (d * (x * x) + odd_term i x * (2 * x)) (/ INR (2 * S i + 1))).
    apply (is_derive_mult (odd_term i) (fun x => x * x)); [exact H | auto_derive; [exact I | ring] | apply Rmult_comm]. }
  induction i as [|i IH]; intros x; (evar_last; [apply step; [apply D0 || apply IH]|]).
  - simpl. field.
  - cbn [odd_term]. pose proof (lt_0_INR (2 * S i + 1) ltac:(lia)).
    replace (INR (2 * S (S i) + 1)) with (INR (2 * S i + 1) + 2) by (rewrite !plus_INR, !mult_INR, (S_INR (S i)); simpl; ring).
    field. lra.
Qed.

Lemma odd_sum_derive i x : is_derive (odd_sum i) x (1 + x * odd_sum i x - x * odd_term i x).
Proof.
  induction i as [|i IH]; [simpl; auto_derive; [exact I | ring]|].
  evar_last; [apply (is_derive_plus (odd_sum i) (odd_term (S i))); [exact IH | apply odd_term_derive]|].
  unfold plus; cbn -[odd_term]. cbn [odd_sum]. ring.
Qed.

Lemma weighed_derive (s : R -> R) ds x : is_derive s x ds -> is_derive (fun x => phi x * s x) x (phi x * (ds - x * s x)).
Proof.
  intros H. evar_last; [apply (is_derive_mult phi s); [apply phi_derive | exact H | apply Rmult_comm]|].
  unfold plus, mult; simpl. ring.
Qed.

Lemma weighed_above (s : R -> R) ds x : (forall t, 0 <= t <= x -> is_derive s t (ds t)) -> s 0 = 0 -> 0 <= x ->
  (forall t, 0 <= t <= x -> 1 <= ds t - t * s t) -> 1 / 2 - Phi (- x) <= phi x * s x.
Proof.
  intros D Z X H. assert (L : phi 0 * s 0 + Phi (- 0) <= phi x * s x + Phi (- x)).
  { apply rises with (f := fun x => phi x * s x + Phi (- x)) (f' := fun t => phi t * (ds t - t * s t) + - phi t); [| |exact X].
    - intros t T. apply (is_derive_plus (fun x => phi x * s x) (fun x => Phi (- x))); [now apply weighed_derive, D | apply Phi_opp_derive].
    - intros t T. specialize (H t T). pose proof (phi_pos t). nra. }
  rewrite Z, Ropp_0, Phi_0 in L. lra.
Qed.

Lemma weighed_below (s : R -> R) ds x : (forall t, 0 <= t <= x -> is_derive s t (ds t)) -> s 0 = 0 -> 0 <= x ->
  (forall t, 0 <= t <= x -> ds t - t * s t <= 1) -> phi x * s x <= 1 / 2 - Phi (- x).
Proof.
  intros D Z X H. assert (L : - (phi 0 * s 0 + Phi (- 0)) <= - (phi x * s x + Phi (- x))).
  { apply rises with (f := fun x => - (phi x * s x + Phi (- x))) (f' := fun t => - (phi t * (ds t - t * s t) + - phi t)); [| |exact X].
    - intros t T. apply (is_derive_opp (fun x => phi x * s x + Phi (- x))).
      apply (is_derive_plus (fun x => phi x * s x) (fun x => Phi (- x))); [now apply weighed_derive, D | apply Phi_opp_derive].
    - intros t T. specialize (H t T). pose proof (phi_pos t). nra. }
  rewrite Z, Ropp_0, Phi_0 in L. lra.
Qed.

Lemma odd_term_0 i : odd_term i 0 = 0.
Proof. induction i as [|i IH]; [reflexivity|]. cbn [odd_term]. rewrite IH. unfold Rdiv. ring. Qed.
Lemma odd_sum_0 i : odd_sum i 0 = 0.
Proof. induction i as [|i IH]; [reflexivity|]. cbn [odd_sum]. rewrite IH, odd_term_0. ring. Qed.

(** What lies between 0 and x, over the density. *)
Definition central (x : R) : R := 1 / 2 / phi x - mills x.

Lemma Phi_central x : Phi (- x) = 1 / 2 - phi x * central x.
Proof. pose proof (phi_pos x). unfold central. rewrite Phi_mills. field. lra. Qed.

Theorem odd_sum_below i x : 0 <= x -> odd_sum i x <= central x.
Proof.
  intros X. apply Rmult_le_reg_l with (phi x); [apply phi_pos|].
  replace (phi x * central x) with (1 / 2 - Phi (- x)) by (rewrite Phi_central; ring).
  apply weighed_below with (ds := fun t => 1 + t * odd_sum i t - t * odd_term i t); [intros; apply odd_sum_derive | apply odd_sum_0 | exact X|].
  intros t [T _]. pose proof (odd_term_nonneg i T). nra.
Qed.

(** What is left out is at most the first term left out, twice. *)
Theorem odd_sum_above i x : 0 <= x -> 2 * (x * x) <= INR (2 * i + 3) -> central x <= odd_sum i x + 2 * odd_term (S i) x.
Proof.
  intros X N. apply Rmult_le_reg_l with (phi x); [apply phi_pos|].
  replace (phi x * central x) with (1 / 2 - Phi (- x)) by (rewrite Phi_central; ring).
  apply weighed_above with (s := fun x => odd_sum i x + 2 * odd_term (S i) x)
    (ds := fun t => (1 + t * odd_sum i t - t * odd_term i t) + 2 * (t * odd_term i t)).
  - intros t _. apply (is_derive_plus (odd_sum i) (fun x => 2 * odd_term (S i) x)); [apply odd_sum_derive|].
    apply (is_derive_scal (odd_term (S i)) t 2), odd_term_derive.
  - rewrite odd_sum_0, odd_term_0. ring.
  - exact X.
  - intros t [T L]. pose proof (odd_term_nonneg i T) as O. cbn [odd_term].
    replace (2 * S i + 1)%nat with (2 * i + 3)%nat by lia. assert (0 < INR (2 * i + 3)) by (apply lt_0_INR; lia).
    assert (t * t <= x * x) by nra. assert (Q : t * t / INR (2 * i + 3) <= 1 / 2).
    { apply Rmult_le_reg_r with (INR (2 * i + 3)); [assumption|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
    unfold Rdiv in *. assert (0 <= t * odd_term i t) by nra.
    assert (t * (2 * (odd_term i t * (t * t) * / INR (2 * i + 3))) <= t * odd_term i t) by nra. lra.
Qed.

Lemma central_nonneg x : 0 <= x -> 0 <= central x.
Proof. intros X. apply Rle_trans with x; [exact X | exact (odd_sum_below 0 X)]. Qed.

Lemma central_rises x y : 0 <= x -> x <= y -> central x <= central y.
Proof.
  intros X L. apply rises with (f' := fun t => t * central t + 1); [| |exact L].
  - intros t _. unfold central. pose proof (phi_pos t). evar_last.
    + apply (is_derive_minus (fun x => 1 / 2 / phi x) mills); [|apply mills_derive].
      apply (is_derive_scal (fun x => / phi x) t (1 / 2) (- (- t * phi t) / phi t ^ 2)), is_derive_inv; [apply phi_derive | lra].
    + unfold minus, plus, opp, scal; simpl; unfold mult; simpl. field. lra.
  - intros t T. pose proof (@central_nonneg t ltac:(lra)). nra.
Qed.

(** In terms of the half of the area. *)
Lemma phi_half x : phi x = / (2 * half) * / exp (x * x / 2).
Proof. unfold phi, bell. rewrite exp_Ropp. unfold Rdiv. ring. Qed.
Lemma half_ratio x : central x + mills x = half * exp (x * x / 2).
Proof. pose proof half_pos. pose proof (exp_pos (x * x / 2)). unfold central. rewrite phi_half. field. lra. Qed.
