(** * Taylor's sum of exp by Horner's rule

    In whole multiples of 2^-n, each step rounded to the safe side. *)
From Coq Require Import ZArith QArith Qround Qreals Reals Lra Lia Psatz Bool.
From DPchecker Require Import Numbers.
Open Scope R_scope.
Set Implicit Arguments.

(** ** Taylor *)
Definition term (r : R) (i : nat) : R := r ^ i * / INR (fact i).
Fixpoint taylor (r : R) (k : nat) : R := match k with O => 0 | S k => taylor r k + term r k end.

Lemma fact_pos i : 0 < INR (fact i). Proof. apply lt_0_INR, lt_O_fact. Qed.
Lemma term_nonneg r i : 0 <= r -> 0 <= term r i.
Proof. intros H; apply Rmult_le_pos; [now apply pow_le | left; apply Rinv_0_lt_compat, fact_pos]. Qed.
Lemma term_next r k : term r (S k) = term r k * (r / INR (S k)).
Proof.
  unfold term. change (fact (S k)) with (S k * fact k)%nat. rewrite mult_INR. simpl pow.
  pose proof (fact_pos k). assert (INR (S k) <> 0) by (apply not_0_INR; lia). field; split; lra.
Qed.

Lemma taylor_sum r k : taylor r (S k) = sum_f_R0 (fun i => / INR (fact i) * r ^ i) k.
Proof. induction k as [|k IH]; [simpl; unfold term; simpl; ring|]. change (taylor r (S (S k))) with (taylor r (S k) + term r (S k)). rewrite IH, tech5. unfold term. ring. Qed.

Lemma exp_limit r : Un_cv (fun k => taylor r (S k)) (exp r).
Proof.
  unfold exp. destruct (exist_exp r) as (l & H); cbn [proj1_sig]. unfold exp_in, infinite_sum in H.
  intros e He. destruct (H e He) as (N & HN). exists N; intros n Hn. rewrite taylor_sum. now apply HN.
Qed.

Lemma taylor_mono r k m : 0 <= r -> taylor r k <= taylor r (k + m).
Proof. intros H; induction m as [|m IH]; [rewrite Nat.add_0_r; lra|]. rewrite Nat.add_succ_r; simpl. pose proof (term_nonneg (k + m) H); lra. Qed.

Lemma taylor_below r k : 0 <= r -> taylor r k <= exp r.
Proof.
  intros H. apply Rle_cv_lim with (Un := fun _ => taylor r k) (Vn := fun n => taylor r (S (k + n))).
  - intros n. rewrite <- Nat.add_succ_r. now apply taylor_mono.
  - intros e He; exists O; intros. unfold R_dist. rewrite Rminus_diag_eq by reflexivity. now rewrite Rabs_R0.
  - intros e He. destruct (exp_limit r He) as (N & HN). exists N; intros n Hn. apply HN. lia.
Qed.

(** What is left out is at most the first term left out, twice. *)
Lemma taylor_above r k : 0 <= r <= / 2 -> exp r <= taylor r k + 2 * term r k.
Proof.
  intros [H0 H1]. assert (T0 := fun i => term_nonneg i H0).
  assert (F : forall m, term r (k + m) <= term r k * (/ 2) ^ m).
  { induction m as [|m IH]; [rewrite Nat.add_0_r; simpl; lra|]. rewrite Nat.add_succ_r, term_next. simpl pow.
    assert (0 <= r / INR (S (k + m)) <= / 2).
    { assert (1 <= INR (S (k + m))) by (rewrite S_INR; pose proof (pos_INR (k + m)); lra).
      split; [apply Rmult_le_pos; [exact H0 | left; apply Rinv_0_lt_compat; lra]|].
      apply Rmult_le_reg_r with (INR (S (k + m))); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. nra. }
    specialize (T0 (k + m)%nat). nra. }
  assert (S : forall m, taylor r (k + m) <= taylor r k + 2 * term r k * (1 - (/ 2) ^ m)).
  { induction m as [|m IH]; [rewrite Nat.add_0_r; simpl; lra|]. rewrite Nat.add_succ_r. simpl taylor. simpl pow. specialize (F m). lra. }
  apply Rle_cv_lim with (Un := fun n => taylor r (Datatypes.S (k + n))) (Vn := fun _ => taylor r k + 2 * term r k).
  - intros n. rewrite <- Nat.add_succ_r. eapply Rle_trans; [apply S|].
    assert (0 <= (/ 2) ^ Datatypes.S n) by (apply pow_le; lra). specialize (T0 k). nra.
  - intros e He. destruct (exp_limit r He) as (N & HN). exists N; intros n Hn. apply HN. lia.
  - intros e He; exists O; intros. unfold R_dist. rewrite Rminus_diag_eq by reflexivity. now rewrite Rabs_R0.
Qed.

(** ** Horner's rule *)
Definition down (n a : Z) : Z := Z.shiftr a n.

Fixpoint horner_below (n u r : Z) (k : nat) (a : Z) : Z :=
  match k with O => a | S k' => horner_below n u r k' (u + down n (r * a) / Z.of_nat k)%Z end.
Fixpoint horner_above (n u r : Z) (k : nat) (a : Z) : Z :=
  match k with O => a | S k' => horner_above n u r k' (u + (down n (r * a) + 1) / Z.of_nat k + 1)%Z end.

Lemma div_R a b : (0 < b)%Z -> IZR (a / b) <= IZR a / IZR b < IZR (a / b) + 1.
Proof.
  intros H. assert (B : 0 < IZR b) by now apply IZR_lt.
  assert (E : IZR a = IZR b * IZR (a / b) + IZR (a mod b)) by (rewrite <- mult_IZR, <- plus_IZR; f_equal; apply Z.div_mod; lia).
  pose proof (Z.mod_pos_bound a b H) as [M1 M2]. apply IZR_le in M1. apply IZR_lt in M2. rewrite E.
  replace ((IZR b * IZR (a / b) + IZR (a mod b)) / IZR b) with (IZR (a / b) + IZR (a mod b) / IZR b) by (field; lra).
  assert (0 <= IZR (a mod b) / IZR b < 1); [|lra]. split.
  - apply Rmult_le_pos; [exact M1 | left; now apply Rinv_0_lt_compat].
  - apply Rmult_lt_reg_r with (IZR b); [exact B|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
Qed.

Lemma down_R n a : (0 <= n)%Z -> IZR (down n a) <= IZR a / IZR (2 ^ n) < IZR (down n a) + 1.
Proof. intros H. unfold down. rewrite Z.shiftr_div_pow2 by exact H. apply div_R. now apply Z.pow_pos_nonneg. Qed.

Section Horner.
Variables (n : Z) (r : R) (z : Z).
Hypothesis Hn : (0 <= n)%Z.
Notation u := (2 ^ n)%Z.
Notation U := (IZR (2 ^ n)).
Lemma U_pos : 0 < U. Proof. apply IZR_lt. now apply Z.pow_pos_nonneg. Qed.

Lemma horner_step k v : taylor r (S k) + term r (S k) * v = taylor r k + term r k * (1 + r / INR (S k) * v).
Proof. rewrite term_next. simpl taylor. ring. Qed.

Lemma horner_below_ok k : 0 <= IZR z <= r * U -> forall a, (0 <= a)%Z -> taylor r k + term r k * (IZR a / U) <= exp r ->
  IZR (horner_below n u z k a) / U <= exp r /\ (0 <= horner_below n u z k a)%Z.
Proof.
  intros [Z0 Z1]. pose proof U_pos as HU. assert (r0 : 0 <= r) by nra.
  assert (zz : (0 <= z)%Z) by now apply le_IZR.
  induction k as [|k IH]; intros a Ha H.
  - simpl in *. unfold term in H; simpl in H. split; [lra | exact Ha].
  - cbn [horner_below]. assert (D0 : (0 <= down n (z * a))%Z).
    { unfold down. rewrite Z.shiftr_div_pow2 by exact Hn. apply Z.div_pos; [nia | now apply Z.pow_pos_nonneg]. }
    assert (Q0 : (0 <= down n (z * a) / Z.of_nat (S k))%Z) by (apply Z.div_pos; lia).
    apply IH; [pose proof (Z.pow_nonneg 2 n); lia|].
    rewrite horner_step in H. eapply Rle_trans; [|exact H]. apply Rplus_le_compat_l, Rmult_le_compat_l; [now apply term_nonneg|].
    pose proof (@div_R (down n (z * a)) (Z.of_nat (S k)) ltac:(lia)) as [V _]. pose proof (down_R (z * a) Hn) as [W _].
    rewrite <- INR_IZR_INZ in V. assert (K : 0 < INR (S k)) by (apply lt_0_INR; lia).
    rewrite plus_IZR. replace ((U + IZR (down n (z * a) / Z.of_nat (S k))) / U) with (1 + IZR (down n (z * a) / Z.of_nat (S k)) / U) by (field; lra).
    apply Rplus_le_compat_l. apply Rmult_le_reg_r with U; [exact HU|]. unfold Rdiv at 1. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
    eapply Rle_trans; [exact V|]. rewrite mult_IZR in W.
    apply Rmult_le_reg_r with (INR (S k)); [exact K|]. unfold Rdiv at 1. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
    eapply Rle_trans; [exact W|]. apply IZR_le in Ha.
    replace (r / INR (S k) * (IZR a / U) * U * INR (S k)) with (r * IZR a) by (field; lra).
    apply Rmult_le_reg_r with U; [exact HU|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra. nra.
Qed.

Lemma horner_above_ok k : 0 <= r -> r * U <= IZR z -> forall a, (0 <= a)%Z -> exp r <= taylor r k + term r k * (IZR a / U) ->
  exp r <= IZR (horner_above n u z k a) / U.
Proof.
  intros r0 Z1. pose proof U_pos as HU. assert (zz : (0 <= z)%Z) by (apply le_IZR; nra).
  induction k as [|k IH]; intros a Ha H.
  - simpl in *. unfold term in H; simpl in H. lra.
  - cbn [horner_above]. assert (D0 : (0 <= down n (z * a))%Z).
    { unfold down. rewrite Z.shiftr_div_pow2 by exact Hn. apply Z.div_pos; [nia | now apply Z.pow_pos_nonneg]. }
    assert (Q0 : (0 <= (down n (z * a) + 1) / Z.of_nat (S k))%Z) by (apply Z.div_pos; lia).
    apply IH; [pose proof (Z.pow_nonneg 2 n); lia|].
    rewrite horner_step in H. eapply Rle_trans; [exact H|]. apply Rplus_le_compat_l, Rmult_le_compat_l; [now apply term_nonneg|].
    pose proof (@div_R (down n (z * a) + 1) (Z.of_nat (S k)) ltac:(lia)) as [_ V]. pose proof (down_R (z * a) Hn) as [_ W].
    rewrite <- INR_IZR_INZ, plus_IZR in V. assert (K : 0 < INR (S k)) by (apply lt_0_INR; lia).
    rewrite !plus_IZR. set (q := IZR ((down n (z * a) + 1) / Z.of_nat (S k))) in *.
    replace ((U + q + 1) / U) with (1 + (q + 1) / U) by (field; lra).
    apply Rplus_le_compat_l. apply Rmult_le_reg_r with U; [exact HU|]. unfold Rdiv at 3. rewrite Rmult_assoc, (Rmult_assoc _ (/ U)), Rinv_l, Rmult_1_r by lra.
    left; eapply Rle_lt_trans; [|exact V]. rewrite mult_IZR in W.
    apply Rmult_le_reg_r with (INR (S k)); [exact K|]. unfold Rdiv at 3. rewrite (Rmult_assoc (IZR (down n (z * a)) + 1)), Rinv_l, Rmult_1_r by lra.
    left; eapply Rle_lt_trans; [|exact W]. apply IZR_le in Ha.
    replace (r / INR (S k) * (IZR a / U * U) * INR (S k)) with (r * IZR a) by (field; lra).
    apply Rmult_le_reg_r with U; [exact HU|]. unfold Rdiv. rewrite (Rmult_assoc (IZR z * IZR a)), Rinv_l, Rmult_1_r by lra. nra.
Qed.
End Horner.

(** ** exp of a small number *)
Lemma Q2R_over a n : (0 <= n)%Z -> Q2R (a # Z.to_pos (2 ^ n)) = IZR a / IZR (2 ^ n).
Proof. intros H. unfold Q2R; simpl. rewrite Z2Pos.id by now apply Z.pow_pos_nonneg. reflexivity. Qed.

(** Of less than 2^-16 so many terms are enough. The smaller it is, the more bits: so e^x - 1 is known as well. *)
Definition degree : nat := 12.
Definition bits (x : Q) : Z := (160 + Z.max 0 (Z.log2 (Zpos (Qden x)) - Z.log2 (Qnum x)))%Z.
Definition series_below (x : Q) : Q :=
  let n := bits x in let u := (2 ^ n)%Z in (horner_below n u (Z.shiftl (Qnum x) n / Zpos (Qden x)) degree u # Z.to_pos u)%Q.
Definition series_above (x : Q) : option Q :=
  let n := bits x in let u := (2 ^ n)%Z in let z := (Z.shiftl (Qnum x) n / Zpos (Qden x) + 1)%Z in
  if Z.leb (2 * z) u then Some (horner_above n u z degree (2 * u) # Z.to_pos u)%Q else None.

Lemma bits_nonneg x : (0 <= bits x)%Z.
Proof. unfold bits. lia. Qed.
Lemma scaled x : IZR (Z.shiftl (Qnum x) (bits x)) / IZR (Zpos (Qden x)) = Q2R x * IZR (2 ^ bits x).
Proof. rewrite Z.shiftl_mul_pow2, mult_IZR by apply bits_nonneg. unfold Q2R, Rdiv. ring. Qed.

Lemma series_below_ok x : 0 <= Q2R x -> Q2R (series_below x) <= exp (Q2R x).
Proof.
  intros E. unfold series_below. cbv zeta. pose proof (bits_nonneg x) as B. pose proof (U_pos B) as HU. set (n := bits x) in *.
  rewrite Q2R_over by exact B. pose proof (@div_R (Z.shiftl (Qnum x) n) (Zpos (Qden x)) ltac:(lia)) as [D1 D2]. pose proof (scaled x) as Sc. fold n in Sc. rewrite Sc in D1, D2.
  set (z := (Z.shiftl (Qnum x) n / Zpos (Qden x))%Z) in *.
  assert (z0 : (0 <= z)%Z).
  { apply Z.lt_succ_r, lt_IZR. rewrite succ_IZR. assert (0 <= Q2R x * IZR (2 ^ n)) by (apply Rmult_le_pos; lra). lra. }
  apply (@horner_below_ok n (Q2R x) z B degree (conj (IZR_le _ _ z0) D1)); [apply Z.pow_nonneg; lia|].
  replace (IZR (2 ^ n) / IZR (2 ^ n)) with 1 by (field; lra). rewrite Rmult_1_r. exact (taylor_below (S degree) E).
Qed.

Lemma series_above_ok x y : 0 <= Q2R x -> series_above x = Some y -> exp (Q2R x) <= Q2R y.
Proof.
  intros E. unfold series_above. cbv zeta. pose proof (bits_nonneg x) as B. pose proof (U_pos B) as HU. set (n := bits x) in *.
  set (z := (Z.shiftl (Qnum x) n / Zpos (Qden x))%Z). destruct (Z.leb (2 * (z + 1)) (2 ^ n)) eqn:F; [|discriminate]. intros H; injection H as <-.
  apply Z.leb_le, IZR_le in F. rewrite mult_IZR, plus_IZR in F. rewrite Q2R_over by exact B.
  pose proof (@div_R (Z.shiftl (Qnum x) n) (Zpos (Qden x)) ltac:(lia)) as [_ D2]. pose proof (scaled x) as Sc. fold n in Sc. rewrite Sc in D2. fold z in D2.
  assert (Tail : exp (Q2R x) <= taylor (Q2R x) degree + term (Q2R x) degree * (IZR (2 * 2 ^ n) / IZR (2 ^ n))).
  { rewrite mult_IZR. replace (2 * IZR (2 ^ n) / IZR (2 ^ n)) with 2 by (field; lra). rewrite (Rmult_comm _ 2).
    apply taylor_above. split; [exact E|]. apply Rmult_le_reg_r with (IZR (2 ^ n)); [exact HU | lra]. }
  apply (@horner_above_ok n (Q2R x) (z + 1)%Z B degree E); [rewrite plus_IZR; left; exact D2 | | exact Tail].
  change (0 <= 2 * 2 ^ n)%Z. pose proof (Z.pow_nonneg 2 n ltac:(lia)). lia.
Qed.
