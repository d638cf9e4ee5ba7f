(** * Sums over all pairs of integers, and over the even and the odd *)
From Coq Require Import Reals Lra Psatz Lia ZArith.
From Coquelicot Require Import Coquelicot.
From DPcore Require Import Distributions Integers.
Open Scope R_scope.
Set Implicit Arguments.

(** ** The order of summation does not matter for what is nonnegative *)
Lemma partial_le_series a n : (forall k, 0 <= a k) -> ex_series a -> sum_n a n <= Series a.
Proof.
  intros N E. apply (is_lim_seq_incr_compare (sum_n a)); [exact (Series_correct _ E)|].
  intros k. rewrite sum_Sn. change (plus ?x ?y) with (x + y). specialize (N (S k)); lra.
Qed.

Lemma term_le_series a n : (forall k, 0 <= a k) -> ex_series a -> a n <= Series a.
Proof.
  intros N E. eapply Rle_trans; [|now apply partial_le_series]. destruct n as [|n]; [rewrite sum_O; lra|].
  rewrite sum_Sn. change (plus ?x ?y) with (x + y).
  assert (0 <= sum_n a n); [|lra]. clear E. induction n as [|n IH]; [rewrite sum_O; apply N|].
  rewrite sum_Sn. change (plus ?x ?y) with (x + y). specialize (N (S n)); lra.
Qed.

Section Swap.
Variable A : nat -> nat -> R.
Hypothesis A_nonneg : forall m v, 0 <= A m v.
Hypothesis rows : forall m, ex_series (A m).
Hypothesis all_rows : ex_series (fun m => Series (A m)).

Lemma column_ex v : ex_series (fun m => A m v).
Proof.
  apply (ex_series_le (K:=R_AbsRing) (V:=R_CompleteNormedModule)) with (b := fun m => Series (A m)); [|exact all_rows].
  intros m. change (Rabs (A m v) <= Series (A m)). rewrite Rabs_pos_eq by auto. now apply term_le_series.
Qed.

Lemma finite_swap N : ex_series (fun m => sum_n (A m) N) /\ Series (fun m => sum_n (A m) N) = sum_n (fun v => Series
  (fun m => A m v)) N.
Proof.
  induction N as [|N [E IH]].
  - rewrite sum_O. split; [eapply ex_series_ext; [|exact (column_ex 0%nat)] | apply Series_ext]; intros m; now rewrite sum_O.
  - rewrite sum_Sn, <- IH. change (plus ?x ?y) with (x + y). rewrite <- Series_plus by auto using column_ex.
    split; [eapply ex_series_ext; [|exact (ex_series_plus _ _ E (column_ex (S N)))] | apply Series_ext]; intros m;
      now rewrite sum_Sn.
Qed.

Lemma swap_le : ex_series (fun v => Series (fun m => A m v)) /\ Series (fun v => Series (fun m => A m v)) <= Series
  (fun m => Series (A m)).
Proof.
  set (c := fun v => Series (fun m => A m v)). set (B := Series (fun m => Series (A m))).
  assert (N : forall v, 0 <= c v).
  { intros v. apply Rle_trans with (A 0%nat v); [auto|].
    apply (@term_le_series (fun m => A m v) 0%nat); auto using column_ex. }
  assert (P : forall n, sum_n c n <= B).
  { intros n. unfold c. rewrite <- (proj2 (finite_swap n)). apply Series_le; [|exact all_rows].
    intros m; split; [|now apply partial_le_series]. clear -A_nonneg. induction n as [|n IH]; [rewrite sum_O; auto|].
    rewrite sum_Sn. change (plus ?x ?y) with (x + y). specialize (A_nonneg m (S n)); lra. }
  assert (E : ex_series c).
  { apply ex_finite_lim_seq_incr with B; [|exact P].
    intros k. rewrite sum_Sn. change (plus ?x ?y) with (x + y). specialize (N (S k)); lra. }
  split; [exact E|]. apply (is_lim_seq_le (sum_n c) (fun _ => B) (Series c) B);
    [exact P | exact (Series_correct _ E) | apply is_lim_seq_const].
Qed.
End Swap.

(** Over the integers: both halves at once. *)
Definition fold (g : Z -> R) (n : nat) : R := upper g n + lower g n.

Lemma ex_fold g : summable g -> ex_series (fold g).
Proof. intros [A B]. exact (ex_series_plus _ _ A B). Qed.
Lemma sumZ_fold g : summable g -> sumZ g = Series (fold g).
Proof. intros [A B]. symmetry. exact (Series_plus _ _ A B). Qed.
Lemma summable_of_fold g : (forall z, 0 <= g z) -> ex_series (fold g) -> summable g.
Proof.
  intros N E; split; (apply (ex_series_le (K:=R_AbsRing) (V:=R_CompleteNormedModule)) with (b := fold g); [|exact E]);
    intros n.
  - change (Rabs (upper g n) <= fold g n). unfold fold, upper, lower. rewrite Rabs_pos_eq by auto.
    specialize (N (- Z.of_nat (S n))%Z); lra.
  - change (Rabs (lower g n) <= fold g n). unfold fold, upper, lower. rewrite Rabs_pos_eq by auto.
    specialize (N (Z.of_nat n)); lra.
Qed.

Section SwapZ.
Variable a : Z -> Z -> R.
Hypothesis a_nonneg : forall m v, 0 <= a m v.
Hypothesis rows : forall m, summable (a m).
Hypothesis all_rows : summable (fun m => sumZ (a m)).

Lemma sumZ_swap_le : (forall v, summable (fun m => a m v)) /\
  summable (fun v => sumZ (fun m => a m v)) /\ sumZ (fun v => sumZ (fun m => a m v)) <= sumZ (fun m => sumZ (a m)).
Proof.
  assert (cols : forall v, summable (fun m => a m v)).
  { intros v. apply summable_le with (2 := all_rows). intros m. rewrite Rabs_pos_eq by auto. now apply sumZ_ge_point. }
  split; [exact cols|].
  assert (N : forall z, 0 <= sumZ (a z)) by (intros z; now apply sumZ_nonneg).
  set (A := fun m v => fold (fun i => fold (a i) v) m).
  assert (A0 : forall m v, 0 <= A m v) by (intros; unfold A, fold, upper, lower; repeat apply Rplus_le_le_0_compat; auto).
  (* the sum of a row of A, and of a column *)
  assert (RA : forall m, ex_series (A m) /\ Series (A m) = fold (fun i => sumZ (a i)) m).
  { intros m. pose proof (ex_fold (rows (Z.of_nat m))) as E1. pose proof (ex_fold (rows (- Z.of_nat (S m))%Z)) as E2.
    split; [exact (ex_series_plus _ _ E1 E2)|]. unfold fold at 1, upper at 1, lower at 1.
    rewrite !sumZ_fold by apply rows. exact (Series_plus _ _ E1 E2). }
  assert (CA : forall v, Series (fun m => A m v) = fold (fun v => sumZ (fun m => a m v)) v).
  { intros v. transitivity (sumZ (fun i => fold (a i) v)); [symmetry; apply sumZ_fold|]; unfold fold, upper, lower.
    - apply (summable_plus (cols _) (cols _)).
    - apply (sumZ_plus (cols _) (cols _)). }
  destruct (@swap_le A A0) as [E L].
  - intros m; apply RA.
  - eapply ex_series_ext; [|exact (ex_fold all_rows)]. intros m; symmetry; apply RA.
  - assert (S : summable (fun v => sumZ (fun m => a m v))).
    { apply summable_of_fold; [intros z; apply sumZ_nonneg; auto|]. eapply ex_series_ext; [|exact E]. intros v; apply CA. }
    split; [exact S|]. rewrite (sumZ_fold S), (sumZ_fold all_rows).
    rewrite (Series_ext _ _ (fun v => eq_sym (CA v))), (Series_ext _ _ (fun m => eq_sym (proj2 (RA m)))). exact L.
Qed.
End SwapZ.

Lemma sumZ_swap a : (forall m v, 0 <= a m v) -> (forall m, summable (a m)) -> summable (fun m => sumZ (a m)) ->
  summable (fun v => sumZ (fun m => a m v)) /\ sumZ (fun v => sumZ (fun m => a m v)) = sumZ (fun m => sumZ (a m)).
Proof.
  intros N R1 R2. destruct (@sumZ_swap_le a N R1 R2) as (C & S & L).
  destruct (@sumZ_swap_le (fun v m => a m v)) as (_ & _ & L'); auto.
  split; [exact S | now apply Rle_antisym].
Qed.

(** ** Even and odd *)
Lemma series_parity a : (forall n, 0 <= a n) -> ex_series a ->
  (ex_series (fun k => a (2 * k)%nat) /\ ex_series (fun k => a (2 * k + 1)%nat)) /\
  Series a = Series (fun k => a (2 * k)%nat) + Series (fun k => a (2 * k + 1)%nat).
Proof.
  intros N E.
  assert (P : forall n, sum_n a (2 * n + 1) = sum_n (fun k => a (2 * k)%nat) n + sum_n (fun k => a (2 * k + 1)%nat) n).
  { induction n as [|n IH]; [simpl; rewrite sum_Sn, !sum_O; reflexivity|].
    replace (2 * S n + 1)%nat with (S (S (2 * n + 1))) by lia. rewrite !sum_Sn, IH.
    replace (S (2 * n + 1)) with (2 * S n)%nat by lia. replace (S (2 * S n)) with (2 * S n + 1)%nat by lia.
    change plus with Rplus. match goal with |- ?a = ?b => change (@eq R a b) end. ring. }
  assert (part : forall f : nat -> nat, (forall k, sum_n (fun k => a (f k)) k <= Series a) -> ex_series (fun k => a (f k))).
  { intros f B. apply ex_finite_lim_seq_incr with (Series a); [|exact B].
    intros k. rewrite sum_Sn. change plus with Rplus. specialize (N (f (S k))); lra. }
  assert (pos : forall (f : nat -> nat) k, 0 <= sum_n (fun k => a (f k)) k).
  { intros f k; induction k as [|k IH]; [rewrite sum_O; auto|]. rewrite sum_Sn. change plus with Rplus.
    specialize (N (f (S k))); lra. }
  assert (bound : forall n, sum_n a n <= Series a) by (intros; now apply partial_le_series).
  assert (E0 : ex_series (fun k => a (2 * k)%nat)).
  { apply (part (fun k => 2 * k)%nat). intros n. specialize (bound (2 * n + 1)%nat). rewrite P in bound.
    pose proof (pos (fun k => 2 * k + 1)%nat n). simpl in *; lra. }
  assert (E1 : ex_series (fun k => a (2 * k + 1)%nat)).
  { apply (part (fun k => 2 * k + 1)%nat). intros n. specialize (bound (2 * n + 1)%nat). rewrite P in bound.
    pose proof (pos (fun k => 2 * k)%nat n). simpl in *; lra. }
  split; [auto|].
  assert (L1 : is_lim_seq (fun n => sum_n a (2 * n + 1)) (Series a)).
  { apply (is_lim_seq_subseq (sum_n a) (Series a) (fun n => 2 * n + 1)%nat); [|exact (Series_correct _ E)].
    apply eventually_subseq. intros; lia. }
  assert (L2 : is_lim_seq (fun n => sum_n a (2 * n + 1)) (Series (fun k => a (2 * k)%nat) + Series (fun k => a (2 * k +
    1)%nat))).
  { apply is_lim_seq_ext with (1 := fun n => eq_sym (P n)).
    apply (is_lim_seq_plus' _ _ _ _ (Series_correct _ E0) (Series_correct _ E1)). }
  pose proof (is_lim_seq_unique _ _ L1) as U1. rewrite (is_lim_seq_unique _ _ L2) in U1. now injection U1.
Qed.

Lemma sumZ_parity g : (forall z, 0 <= g z) -> summable g ->
  (summable (fun k => g (2 * k)%Z) /\ summable (fun k => g (2 * k + 1)%Z)) /\
  sumZ g = sumZ (fun k => g (2 * k)%Z) + sumZ (fun k => g (2 * k + 1)%Z).
Proof.
  intros N [A B].
  destruct (@series_parity (upper g)) as [[U0 U1] U]; [intros; unfold upper; auto | exact A |].
  destruct (@series_parity (lower g)) as [[D0 D1] D]; [intros; unfold lower; auto | exact B |].
  assert (X0 : forall n, upper (fun k => g (2 * k)%Z) n = upper g (2 * n)) by (intros; unfold upper; f_equal; lia).
  assert (X1 : forall n, upper (fun k => g (2 * k + 1)%Z) n = upper g (2 * n + 1)) by (intros; unfold upper; f_equal; lia).
  assert (Y0 : forall n, lower (fun k => g (2 * k)%Z) n = lower g (2 * n + 1)) by (intros; unfold lower; f_equal; lia).
  assert (Y1 : forall n, lower (fun k => g (2 * k + 1)%Z) n = lower g (2 * n)) by (intros; unfold lower; f_equal; lia).
  split; [split; split; [eapply ex_series_ext, U0 | eapply ex_series_ext, D1 | eapply ex_series_ext, U1 |
    eapply ex_series_ext, D0]; intros; auto|].
  unfold sumZ at 2 3. rewrite (Series_ext (upper (fun k => g (2 * k)%Z)) _ X0),
    (Series_ext (upper (fun k => g (2 * k + 1)%Z)) _ X1),
    (Series_ext (lower (fun k => g (2 * k)%Z)) _ Y0), (Series_ext (lower (fun k => g (2 * k + 1)%Z)) _ Y1).
  unfold sumZ. lra.
Qed.
