(** * The integrals by which permute-and-flip chooses

    [chance x js i Y] is [x_i] times the integral over 0 <= u <= Y of the product over the other j of [1 - x_j u].
    It scales, it is
    monotone, and with Y = 1 and weights of which one is 1 the chances of all candidates add up to 1. *)
From Coq Require Import Reals Lra Psatz Lia List.
From Coquelicot Require Import Coquelicot.
From DPcore Require Import Distributions.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

Definition product (h : nat -> R) (js : list nat) : R := fold_right (fun j r => h j * r) 1 js.

Definition others (x : nat -> R) (js : list nat) (i : nat) (t : R) : R :=
  product (fun j => if Nat.eq_dec j i then 1 else 1 - x j * t) js.

Definition chance (x : nat -> R) (js : list nat) (i : nat) (Y : R) : R := x i * RInt (others x js i) 0 Y.

(** ** Integrals of the products *)
Lemma product_nonneg h js : (forall j, In j js -> 0 <= h j) -> 0 <= product h js.
Proof. induction js as [|j js IH]; simpl; intros H; [lra|]. apply Rmult_le_pos; auto. Qed.

Lemma product_le g h js : (forall j, In j js -> 0 <= g j <= h j) -> product g js <= product h js.
Proof.
  induction js as [|j js IH]; simpl; intros H; [lra|].
  apply Rmult_le_compat; [apply H; auto | apply product_nonneg; intros; apply H; auto | apply H; auto | apply IH; auto].
Qed.

Lemma others_derivable x js i t : ex_derive (others x js i) t.
Proof.
  unfold others; induction js as [|j js IH]; simpl; [apply ex_derive_const|].
  apply (ex_derive_mult (fun t => if Nat.eq_dec j i then 1 else 1 - x j * t)); [|exact IH].
  destruct (Nat.eq_dec j i); auto_derive; auto.
Qed.

Lemma others_continuous x js i t : continuous (others x js i) t.
Proof. apply (ex_derive_continuous (V := R_NormedModule)), others_derivable. Qed.

Lemma others_integrable x js i a b : ex_RInt (others x js i) a b.
Proof. apply (ex_RInt_continuous (V := R_CompleteNormedModule)). intros; apply others_continuous. Qed.

(** Times at which nobody can have passed with a probability above 1. *)
Definition early (x : nat -> R) (js : list nat) (Y : R) := forall j, In j js -> 0 <= x j /\ x j * Y <= 1.

Lemma others_nonneg x js i Y t : early x js Y -> 0 <= t <= Y -> 0 <= others x js i t.
Proof.
  intros E T. apply product_nonneg. intros j I. destruct (E j I). destruct (Nat.eq_dec j i); [lra|].
  assert (x j * t <= x j * Y) by (apply Rmult_le_compat_l; lra). lra.
Qed.

Lemma chance_nonneg x js i Y : early x js Y -> 0 <= x i -> 0 <= Y -> 0 <= chance x js i Y.
Proof.
  intros E X HY. apply Rmult_le_pos; [exact X|]. apply RInt_ge_0; [exact HY | apply others_integrable |].
  intros t T. apply others_nonneg with Y; [exact E | lra].
Qed.

Lemma chance_scale x js i c Y : 0 < c -> chance (fun j => c * x j) js i Y = chance x js i (c * Y).
Proof.
  intros Hc. unfold chance.
  pose proof (RInt_comp_lin (V := R_CompleteNormedModule) (others x js i) c 0 0 Y) as H.
  replace (c * 0 + 0) with 0 in H by ring. replace (c * Y + 0) with (c * Y) in H by ring.
  rewrite <- H by apply others_integrable. clear H.
  rewrite (Rmult_comm c (x i)), Rmult_assoc. f_equal.
  rewrite <- (RInt_scal (V := R_CompleteNormedModule)) by apply others_integrable.
  apply RInt_ext. intros t _. change (scal ?a ?b) with (a * b). f_equal. unfold others. rewrite Rplus_0_r.
  induction js as [|j js IH]; simpl; [reflexivity|]. rewrite IH. f_equal. destruct (Nat.eq_dec j i); ring.
Qed.

Lemma chance_le x x' js i c Y Y' : 0 <= c -> In i js ->
  0 <= Y' <= Y -> early x js Y -> early x' js Y' -> x' i <= c * x i -> (forall j, In j js -> x j <= x' j) ->
  chance x' js i Y' <= c * chance x js i Y.
Proof.
  intros Hc Ii [H0 HY] E E' Hi Hj. unfold chance. rewrite <- Rmult_assoc. pose proof (E i Ii) as [Xi _].
  pose proof (E' i Ii) as [Xi' _].
  apply Rmult_le_compat; [exact Xi' | | exact Hi |].
  - apply RInt_ge_0; [exact H0 | apply others_integrable |]. intros t T. apply others_nonneg with Y'; [exact E' | lra].
  - apply Rle_trans with (RInt (others x js i) 0 Y').
    + apply RInt_le; [exact H0 | apply others_integrable | apply others_integrable |].
      intros t T. apply product_le. intros j I. destruct (E' j I). specialize (Hj j I). destruct (Nat.eq_dec j i); [lra|].
      assert (x' j * t <= x' j * Y') by (apply Rmult_le_compat_l; lra).
      assert (x j * t <= x' j * t) by (apply Rmult_le_compat_r; lra). lra.
    + pose proof (RInt_Chasles (V := R_CompleteNormedModule) (others x js i) 0 Y' Y
        (others_integrable _ _ _ _ _) (others_integrable _ _ _ _ _)) as C.
      change (RInt (others x js i) 0 Y' + RInt (others x js i) Y' Y = RInt (others x js i) 0 Y) in C.
      assert (0 <= RInt (others x js i) Y' Y); [|lra]. apply RInt_ge_0; [exact HY | apply others_integrable |].
      intros t T. apply others_nonneg with Y; [exact E | lra].
Qed.

(** ** The probabilities add up to 1 where some weight is 1 *)
Lemma product_ext g h js : (forall j, In j js -> g j = h j) -> product g js = product h js.
Proof. induction js as [|j js IH]; simpl; intros H; [reflexivity|]. rewrite H, IH; auto. Qed.

Definition nobody (w : nat -> R) (js : list nat) (t : R) : R := product (fun j => 1 - w j * t) js.

Lemma nobody_derive w js t : NoDup js -> is_derive (nobody w js) t (- sum (fun i => w i * others w js i t) js).
Proof.
  unfold nobody; induction js as [|a js IH]; intros ND; [simpl; rewrite Ropp_0; apply (is_derive_const 1)|].
  inversion ND; subst. specialize (IH H2).
  change (is_derive (fun t => (1 - w a * t) * product (fun j => 1 - w j * t) js) t
    (- (w a * others w (a :: js) a t + sum (fun i => w i * others w (a :: js) i t) js))).
  assert (D : is_derive (fun t => 1 - w a * t) t (- w a)) by (auto_derive; [exact I | ring]).
  pose proof (is_derive_mult (fun t => 1 - w a * t) (fun t => product (fun j => 1 - w j * t) js) t _ _ D IH Rmult_comm) as M.
  change (is_derive (fun t => (1 - w a * t) * product (fun j => 1 - w j * t) js) t
    (- w a * product (fun j => 1 - w j * t) js + (1 - w a * t) * - sum (fun i => w i * others w js i t) js)) in M.
  replace (- (w a * others w (a :: js) a t + sum (fun i => w i * others w (a :: js) i t) js)) with
    (- w a * product (fun j => 1 - w j * t) js + (1 - w a * t) * - sum (fun i => w i * others w js i t) js); [exact M|].
  assert (E1 : others w (a :: js) a t = product (fun j => 1 - w j * t) js).
  { unfold others; simpl. destruct (Nat.eq_dec a a) as [_|N]; [|contradiction]. rewrite Rmult_1_l.
    apply product_ext. intros j J. destruct (Nat.eq_dec j a) as [->|]; [contradiction | reflexivity]. }
  rewrite E1, (sum_ext (fun i => w i * others w (a :: js) i t) (fun i => (1 - w a * t) * (w i * others w js i t))).
  - rewrite sum_scale. ring.
  - intros i J. unfold others; simpl. destruct (Nat.eq_dec a i) as [->|]; [contradiction | ring].
Qed.

Lemma sum_chances w js is : is_RInt (fun t => sum (fun i => w i * others w js i t) is) 0 1 (sum (fun i => chance w js i
  1) is).
Proof.
  induction is as [|i is IH]; simpl.
  - pose proof (is_RInt_const (V := R_NormedModule) 0 1 0) as H. change (scal (1 - 0) 0) with ((1 - 0) * 0) in H.
    now rewrite Rmult_0_r in H.
  - apply (is_RInt_plus (V := R_NormedModule)); [|exact IH].
    apply (is_RInt_scal (V := R_NormedModule)), (RInt_correct (V := R_CompleteNormedModule)), others_integrable.
Qed.

Lemma sum_continuous w js is t : continuous (fun t => sum (fun i => w i * others w js i t) is) t.
Proof.
  induction is as [|i is IH]; [apply continuous_const|].
  apply (continuous_plus (V := R_NormedModule) (fun t => w i * others w js i t)); [|exact IH].
  apply (continuous_mult (K := R_AbsRing) (fun _ => w i)); [apply continuous_const | apply others_continuous].
Qed.

Lemma chances_total w js : NoDup js -> (exists j, In j js /\ w j = 1) -> sum (fun i => chance w js i 1) js = 1.
Proof.
  intros ND (j & J & E).
  assert (H : is_RInt (fun t => - sum (fun i => w i * others w js i t) js) 0 1 (minus (nobody w js 1) (nobody w js 0))).
  { apply (is_RInt_derive (V := R_CompleteNormedModule) (nobody w js)).
    - intros; now apply nobody_derive.
    - intros t _. apply (continuous_opp (V := R_NormedModule)), sum_continuous. }
  assert (Z : nobody w js 1 = 0).
  { unfold nobody. clear -J E. induction js as [|a js IH]; simpl; [destruct J|].
    destruct J as [->|J]; [rewrite E; ring | rewrite IH by assumption; ring]. }
  assert (O : nobody w js 0 = 1).
  { unfold nobody. clear. induction js as [|a js IH]; simpl; [reflexivity|]. rewrite IH. ring. }
  rewrite Z, O in H. pose proof (is_RInt_opp (V := R_NormedModule) _ _ _ _ (sum_chances w js js)) as H'.
  apply (is_RInt_unique (V := R_CompleteNormedModule)) in H. apply (is_RInt_unique (V := R_CompleteNormedModule)) in H'.
  change (minus 0 1) with (0 - 1) in H. change (opp ?x) with (- x) in H'.
  assert (- sum (fun i => chance w js i 1) js = 0 - 1); [|lra]. rewrite <- H. symmetry. exact H'.
Qed.
