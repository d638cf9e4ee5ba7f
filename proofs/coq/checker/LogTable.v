(** * The logarithms -log(1 - 2^-j), from both sides, in units of 2^-160

    The first is log 2. With them e^-s is a product of some 1 - 2^-j, which takes shifts and no multiplication. *)
From Coq Require Import ZArith Reals Lra Lia List.
From Coquelicot Require Import Coquelicot.
From DPchecker Require Import Taylor.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

(** ** The series t + t^2/2 + t^3/3 + ... *)
Fixpoint series (k : nat) (t : R) : R := match k with O => 0 | S k => series k t + t ^ S k / INR (S k) end.
Fixpoint powers (k : nat) (t : R) : R := match k with O => 0 | S k => powers k t + t ^ k end.

Lemma powers_ok k t : (1 - t) * powers k t = 1 - t ^ k.
Proof. induction k as [|k IH]; simpl; [ring|]. rewrite Rmult_plus_distr_l, IH. ring. Qed.

Lemma series_derive k t : is_derive (series k) t (powers k t).
Proof.
  induction k as [|k IH]; [simpl; auto_derive; auto|].
  change (is_derive (fun u => plus (series k u) (u ^ S k / INR (S k))) t (plus (powers k t) (t ^ k))).
  apply (is_derive_plus (series k) (fun u => u ^ S k / INR (S k))); [exact IH|].
  assert (INR (S k) <> 0) by (apply not_0_INR; lia). auto_derive; auto. change (Init.Nat.pred (S k)) with k. field. exact H.
Qed.

Lemma series_0 k : series k 0 = 0.
Proof. induction k as [|k IH]; simpl; [reflexivity|]. rewrite IH, Rmult_0_l. unfold Rdiv. ring. Qed.

(** A function that is 0 at 0 and does not fall is not negative. *)
Lemma rises (f f' : R -> R) t : 0 <= t -> f 0 = 0 -> (forall u, 0 <= u <= t -> is_derive f u (f' u)) -> (forall u, 0 <= u <= t -> 0 <= f' u) -> 0 <= f t.
Proof.
  intros [T|<-] Z D N; [|lra]. destruct (MVT_cor2 f f' 0 t T) as (c & E & I).
  - intros u U. apply is_derive_Reals. now apply D.
  - specialize (N c ltac:(lra)). rewrite Z in E. nra.
Qed.

Lemma log_derive t : t < 1 -> is_derive (fun u => - ln (1 - u)) t (/ (1 - t)).
Proof. intros H. auto_derive; [lra | field; lra]. Qed.

Lemma series_below_log k t : 0 <= t < 1 -> series k t <= - ln (1 - t).
Proof.
  intros T. enough (0 <= - ln (1 - t) - series k t) by lra.
  apply (@rises (fun u => - ln (1 - u) - series k u) (fun u => / (1 - u) - powers k u)); [lra | rewrite series_0; replace (1 - 0) with 1 by ring; rewrite ln_1; ring | |].
  - intros u U. apply (is_derive_minus (fun u => - ln (1 - u)) (series k)); [apply log_derive; lra | apply series_derive].
  - intros u U. pose proof (powers_ok k u) as P. pose proof (pow_le u k ltac:(lra)).
    apply Rmult_le_reg_l with (1 - u); [lra|]. rewrite Rmult_minus_distr_l, P, Rinv_r by lra. lra.
Qed.

(** What is left out is at most the first term left out, twice. *)
Lemma series_above_log k t : 0 <= t <= / 2 -> - ln (1 - t) <= series k t + 2 * (t ^ S k / INR (S k)).
Proof.
  intros T. assert (K : INR (S k) <> 0) by (apply not_0_INR; lia).
  enough (0 <= series k t + 2 * (t ^ S k / INR (S k)) - - ln (1 - t)) by lra.
  apply (@rises (fun u => series k u + 2 * (u ^ S k / INR (S k)) - - ln (1 - u)) (fun u => powers k u + 2 * u ^ k - / (1 - u))); [lra | | |].
  - rewrite series_0. replace (1 - 0) with 1 by ring. rewrite ln_1, pow_i by lia. field. exact K.
  - intros u U. apply (is_derive_minus (fun u => series k u + 2 * (u ^ S k / INR (S k))) (fun u => - ln (1 - u))); [|apply log_derive; lra].
    apply (is_derive_plus (series k) (fun u => 2 * (u ^ S k / INR (S k)))); [apply series_derive|].
    auto_derive; auto. change (Init.Nat.pred (S k)) with k. field. exact K.
  - intros u U. pose proof (powers_ok k u) as P. pose proof (pow_le u k ltac:(lra)).
    apply Rmult_le_reg_l with (1 - u); [lra|]. rewrite Rmult_minus_distr_l, Rmult_plus_distr_l, P, Rinv_r by lra. nra.
Qed.

(** ** In units of 2^-160 *)
Definition unit_bits : Z := 160.
Notation U := (IZR (2 ^ unit_bits)).
Definition terms (j : Z) : nat := Z.to_nat (unit_bits / j).

(** [2^-(i j)/i], rounded down, for i = 1, ..., k. *)
Fixpoint sum_below (j : Z) (k : nat) : Z :=
  match k with O => 0 | S k' => sum_below j k' + Z.shiftl 1 (unit_bits - Z.of_nat k * j) / Z.of_nat k end%Z.

(** The logarithm is from the first number to the sum of both. *)
Definition entry (j : Z) : Z * Z := (sum_below j (terms j), Z.of_nat (terms j) + 2)%Z.

Definition log_of (j : Z) : R := - ln (1 - / IZR (2 ^ j)).

Lemma U_above_0 : 0 < U. Proof. apply IZR_lt. reflexivity. Qed.

Lemma pow_half j i : (0 <= j)%Z -> (/ IZR (2 ^ j)) ^ i = / IZR (2 ^ (Z.of_nat i * j)).
Proof. intros J. rewrite pow_inv. f_equal. rewrite Z.mul_comm, Z.pow_mul_r by lia. now rewrite pow_IZR. Qed.

Lemma in_units j i : (0 <= j)%Z -> (Z.of_nat i * j <= unit_bits)%Z -> (/ IZR (2 ^ j)) ^ i * U = IZR (2 ^ (unit_bits - Z.of_nat i * j)).
Proof.
  intros J I. rewrite pow_half by exact J. replace unit_bits with (unit_bits - Z.of_nat i * j + Z.of_nat i * j)%Z at 1 by ring.
  rewrite Z.pow_add_r, mult_IZR by lia. field. apply not_0_IZR. pose proof (Z.pow_pos_nonneg 2 (Z.of_nat i * j)). lia.
Qed.

Lemma sum_below_ok j k : (0 <= j)%Z -> (Z.of_nat k * j <= unit_bits)%Z ->
  IZR (sum_below j k) <= series k (/ IZR (2 ^ j)) * U <= IZR (sum_below j k) + INR k.
Proof.
  intros J. induction k as [|k IH]; intros K; [simpl; lra|]. specialize (IH ltac:(lia)). cbn [sum_below series].
  rewrite plus_IZR, Rmult_plus_distr_r. pose proof (@div_R (Z.shiftl 1 (unit_bits - Z.of_nat (S k) * j)) (Z.of_nat (S k)) ltac:(lia)) as D.
  assert (E : (/ IZR (2 ^ j)) ^ S k / INR (S k) * U = IZR (Z.shiftl 1 (unit_bits - Z.of_nat (S k) * j)) / IZR (Z.of_nat (S k))).
  { rewrite Z.shiftl_mul_pow2, Z.mul_1_l, <- in_units, <- INR_IZR_INZ by lia. field. apply not_0_INR; lia. }
  rewrite E. set (q := IZR (Z.shiftl 1 _ / _)) in *. rewrite S_INR in *. lra.
Qed.

Lemma entry_ok j : (1 <= j)%Z -> let (l, w) := entry j in IZR l <= log_of j * U <= IZR (l + w).
Proof.
  intros J. unfold entry. set (k := terms j). assert (Hk : Z.of_nat k = (unit_bits / j)%Z) by (unfold k, terms; rewrite Z2Nat.id; [reflexivity | apply Z.div_pos; [discriminate | lia]]).
  pose proof (Z.mul_div_le unit_bits j ltac:(lia)) as M1. pose proof (Z.mul_succ_div_gt unit_bits j ltac:(lia)) as M2. rewrite <- Hk in M1, M2.
  assert (P2 : 2 <= IZR (2 ^ j)) by (apply IZR_le; rewrite <- (Z.pow_1_r 2) at 1; apply Z.pow_le_mono_r; lia).
  assert (T : 0 < / IZR (2 ^ j) <= / 2) by (split; [apply Rinv_0_lt_compat | apply Rinv_le_contravar]; lra).
  destruct (@sum_below_ok j k ltac:(lia) ltac:(lia)) as [S1 S2]. pose proof U_above_0 as U0.
  pose proof (@series_below_log k (/ IZR (2 ^ j)) ltac:(lra)) as B. pose proof (@series_above_log k (/ IZR (2 ^ j)) ltac:(lra)) as A.
  unfold log_of. split.
  - eapply Rle_trans; [exact S1|]. apply Rmult_le_compat_r; lra.
  - rewrite !plus_IZR, <- INR_IZR_INZ. apply Rmult_le_compat_r with (r := U) in A; [|lra]. eapply Rle_trans; [exact A|].
    assert (R : (/ IZR (2 ^ j)) ^ S k * U <= 1).
    { rewrite pow_half by lia. apply Rmult_le_reg_l with (IZR (2 ^ (Z.of_nat (S k) * j))); [apply IZR_lt, Z.pow_pos_nonneg; lia|].
      rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l, Rmult_1_r by (apply not_0_IZR; pose proof (Z.pow_pos_nonneg 2 (Z.of_nat (S k) * j)); lia).
      apply IZR_le, Z.pow_le_mono_r; lia. }
    assert (I : 0 < / INR (S k) <= 1) by (rewrite S_INR; pose proof (pos_INR k); split; [apply Rinv_0_lt_compat; lra | rewrite <- Rinv_1; apply Rinv_le_contravar; lra]).
    assert (0 <= (/ IZR (2 ^ j)) ^ S k * U) by (apply Rmult_le_pos; [apply pow_le|]; lra). unfold Rdiv. nra.
Qed.

Definition table : list (Z * (Z * Z)) := Eval vm_compute in map (fun j => (j, entry j)) (map Z.of_nat (seq 1 80)).
Lemma table_entries : table = map (fun j => (j, entry j)) (map Z.of_nat (seq 1 80)).
Proof. vm_compute. reflexivity. Qed.
Lemma table_ok j l w : In (j, (l, w)) table -> (1 <= j)%Z /\ IZR l <= log_of j * U <= IZR (l + w).
Proof.
  rewrite table_entries. intros H. apply in_map_iff in H. destruct H as (i & E & H). apply in_map_iff in H. destruct H as (n & <- & H). apply in_seq in H.
  pose proof (f_equal fst E) as Ej. pose proof (f_equal snd E) as Ee. cbn [fst snd] in Ej, Ee. subst j.
  assert (J : (1 <= Z.of_nat n)%Z) by lia. split; [exact J|]. pose proof (entry_ok J) as K. now rewrite Ee in K.
Qed.
