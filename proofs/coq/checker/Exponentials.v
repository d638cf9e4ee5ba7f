(** * Rational bounds of exp, from below and from above, and of log from above

    Taylor's sum by Horner's rule, in whole multiples of 2^-n, each step rounded to the safe side; then squared. *)
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
Definition up (n a : Z) : Z := (- Z.shiftr (- a) n)%Z.

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
Lemma up_R n a : (0 <= n)%Z -> IZR a / IZR (2 ^ n) <= IZR (up n a).
Proof.
  intros H. pose proof (down_R (- a) H) as [D _]. unfold up, down in *. rewrite opp_IZR in D |- *.
  replace (- IZR a / IZR (2 ^ n)) with (- (IZR a / IZR (2 ^ n))) in D by (unfold Rdiv; ring). lra.
Qed.

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

(** ** Squares *)
Fixpoint square_below (n : Z) (j : nat) (a : Z) : Z := match j with O => a | S j => square_below n j (down n (a * a)) end.
Fixpoint square_above (n : Z) (j : nat) (a : Z) : Z := match j with O => a | S j => square_above n j (down n (a * a) + 1)%Z end.

Lemma double_pow x j : x * 2 * 2 ^ j = x * 2 ^ S j. Proof. simpl; ring. Qed.

Lemma square_below_ok n j : (0 <= n)%Z -> forall a x, (0 <= a)%Z -> IZR a / IZR (2 ^ n) <= exp x ->
  IZR (square_below n j a) / IZR (2 ^ n) <= exp (x * 2 ^ j).
Proof.
  intros Hn. pose proof (U_pos Hn) as HU. induction j as [|j IH]; intros a x Ha H; simpl square_below; [simpl; now rewrite Rmult_1_r|].
  rewrite <- double_pow. apply IH.
  - unfold down. rewrite Z.shiftr_div_pow2 by exact Hn. apply Z.div_pos; [nia | now apply Z.pow_pos_nonneg].
  - replace (x * 2) with (x + x) by ring. rewrite exp_plus. pose proof (down_R (a * a) Hn) as [D _]. rewrite mult_IZR in D.
    apply IZR_le in Ha. assert (0 <= IZR a / IZR (2 ^ n)) by (apply Rmult_le_pos; [exact Ha | left; now apply Rinv_0_lt_compat]).
    apply Rle_trans with (IZR a / IZR (2 ^ n) * (IZR a / IZR (2 ^ n))); [|nra].
    unfold Rdiv at 2 3. apply Rmult_le_reg_r with (IZR (2 ^ n)); [exact HU|]. unfold Rdiv in *.
    rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
    replace (IZR a * / IZR (2 ^ n) * (IZR a * / IZR (2 ^ n)) * IZR (2 ^ n)) with (IZR a * IZR a * / IZR (2 ^ n)) by (field; lra). exact D.
Qed.

Lemma square_above_ok n j : (0 <= n)%Z -> forall a x, exp x <= IZR a / IZR (2 ^ n) ->
  exp (x * 2 ^ j) <= IZR (square_above n j a) / IZR (2 ^ n).
Proof.
  intros Hn. pose proof (U_pos Hn) as HU. induction j as [|j IH]; intros a x H; simpl square_above; [simpl; now rewrite Rmult_1_r|].
  rewrite <- double_pow. apply IH.
  replace (x * 2) with (x + x) by ring. rewrite exp_plus. pose proof (down_R (a * a) Hn) as [_ D]. rewrite mult_IZR in D.
  pose proof (exp_pos x). apply Rle_trans with (IZR a / IZR (2 ^ n) * (IZR a / IZR (2 ^ n))); [nra|].
  apply Rmult_le_reg_r with (IZR (2 ^ n)); [exact HU|]. unfold Rdiv in *.
  rewrite plus_IZR, (Rmult_assoc (IZR _ + 1)), Rinv_l, Rmult_1_r by lra.
  replace (IZR a * / IZR (2 ^ n) * (IZR a * / IZR (2 ^ n)) * IZR (2 ^ n)) with (IZR a * IZR a * / IZR (2 ^ n)) by (field; lra). lra.
Qed.

(** ** exp of a rational that is not negative *)

(** How often to halve, so that an eighth is left; and how many bits. *)
Definition halvings (x : Q) : nat := Z.to_nat (Z.max 0 (Z.log2 (Qnum x) - Z.log2 (Zpos (Qden x)) + 4)).
Definition bits (x : Q) : Z := (precision + 32 + 2 * Z.of_nat (halvings x) + Z.max 0 (Z.log2 (Zpos (Qden x)) - Z.log2 (Qnum x)))%Z.
Definition degree : nat := 28.

Definition halved (x : Q) : Q := x * (1 # Z.to_pos (2 ^ Z.of_nat (halvings x))).

(** Beyond [limit] it is as at [limit]. *)
Definition limit : Q := 8000.
Definition exp_small (x : Q) : Q :=
  if Qle_bool 0 x then
    let n := bits x in let u := (2 ^ n)%Z in let j := halvings x in
    let z := (Qnum x * 2 ^ (n - Z.of_nat j) / Zpos (Qden x))%Z in
    (square_below n j (horner_below n u z degree u) # Z.to_pos u)%Q
  else 0%Q.

Definition exp_below (x : Q) : Q := if Qle_bool x limit then exp_small x else exp_small limit.

(** Nothing where it is more than can be followed. *)
Definition exp_above (x : Q) : option Q :=
  let n := bits x in let u := (2 ^ n)%Z in let j := halvings x in
  let z := (Qnum x * 2 ^ (n - Z.of_nat j) / Zpos (Qden x) + 1)%Z in
  if Qle_bool 0 x && Qle_bool x limit then if Z.leb (2 * z) u then Some (square_above n j (horner_above n u z degree (2 * u)) # Z.to_pos u)%Q else None else None.

Lemma Q2R_over a n : (0 <= n)%Z -> Q2R (a # Z.to_pos (2 ^ n)) = IZR a / IZR (2 ^ n).
Proof. intros H. unfold Q2R; simpl. rewrite Z2Pos.id by now apply Z.pow_pos_nonneg. reflexivity. Qed.

Lemma bits_nonneg x : (0 <= bits x)%Z /\ (0 <= bits x - Z.of_nat (halvings x))%Z.
Proof. unfold bits, precision. lia. Qed.

Lemma two_pow j : IZR (2 ^ Z.of_nat j) = 2 ^ j.
Proof. rewrite <- pow_IZR. reflexivity. Qed.

Lemma scaled x : let n := bits x in let j := halvings x in
  IZR (Qnum x * 2 ^ (n - Z.of_nat j)) / IZR (Zpos (Qden x)) = Q2R x * / 2 ^ j * IZR (2 ^ n).
Proof.
  intros n j. destruct (bits_nonneg x) as [B1 B2]. fold n j in B1, B2.
  rewrite mult_IZR. unfold Q2R. replace (2 ^ n)%Z with (2 ^ (n - Z.of_nat j) * 2 ^ Z.of_nat j)%Z by (rewrite <- Z.pow_add_r by lia; f_equal; lia).
  rewrite mult_IZR, two_pow. assert (0 < 2 ^ j) by (apply pow_lt; lra). field. split; [lra | apply not_0_IZR; lia].
Qed.

Lemma exp_small_ok x : Q2R (exp_small x) <= exp (Q2R x).
Proof.
  unfold exp_small. destruct (Qle_bool 0 x) eqn:E; [|rewrite Q2R_0; left; apply exp_pos].
  apply Qle_R in E; rewrite Q2R_0 in E. destruct (bits_nonneg x) as [B1 B2]. pose proof (U_pos B1) as HU.
  set (n := bits x) in *. set (j := halvings x) in *. set (z := (Qnum x * 2 ^ (n - Z.of_nat j) / Zpos (Qden x))%Z).
  rewrite Q2R_over by exact B1. pose proof (scaled x) as Sc. cbv zeta in Sc. fold n j in Sc.
  pose proof (@div_R (Qnum x * 2 ^ (n - Z.of_nat j)) (Zpos (Qden x)) ltac:(lia)) as [D1 D2]. fold z in D1, D2. rewrite Sc in D1, D2.
  assert (P : 0 < 2 ^ j) by (apply pow_lt; lra). set (r := Q2R x * / 2 ^ j) in *.
  assert (r0 : 0 <= r) by (apply Rmult_le_pos; [exact E | left; now apply Rinv_0_lt_compat]).
  assert (z0 : (0 <= z)%Z).
  { apply Z.lt_succ_r, lt_IZR. rewrite succ_IZR. assert (0 <= r * IZR (2 ^ n)) by (apply Rmult_le_pos; lra). lra. }
  destruct (@horner_below_ok n r z B1 degree) with (a := (2 ^ n)%Z) as [H1 H2].
  - split; [now apply IZR_le | exact D1].
  - apply Z.pow_nonneg; lia.
  - replace (IZR (2 ^ n) / IZR (2 ^ n)) with 1 by (field; lra). rewrite Rmult_1_r. exact (taylor_below (S degree) r0).
  - apply (square_below_ok j B1) with (x := r) in H1; [|exact H2]. replace (r * 2 ^ j) with (Q2R x) in H1 by (unfold r; field; lra). exact H1.
Qed.

Theorem exp_below_ok x : Q2R (exp_below x) <= exp (Q2R x).
Proof.
  unfold exp_below. destruct (Qle_bool x limit) eqn:E; [apply exp_small_ok|]. apply Qgt_R in E.
  eapply Rle_trans; [apply exp_small_ok|]. left. now apply exp_increasing.
Qed.

Theorem exp_above_ok x y : exp_above x = Some y -> exp (Q2R x) <= Q2R y.
Proof.
  unfold exp_above. cbv zeta. intros H. destruct (Qle_bool 0 x) eqn:E; [|discriminate H]. rewrite andb_true_l in H. destruct (Qle_bool x limit); [|discriminate H].
  apply Qle_R in E; rewrite Q2R_0 in E. destruct (bits_nonneg x) as [B1 B2]. pose proof (U_pos B1) as HU.
  set (n := bits x) in *. set (j := halvings x) in *. set (z := (Qnum x * 2 ^ (n - Z.of_nat j) / Zpos (Qden x))%Z) in *.
  destruct (Z.leb (2 * (z + 1)) (2 ^ n)) eqn:F; [|discriminate H]. apply Z.leb_le, IZR_le in F. rewrite mult_IZR, plus_IZR in F.
  injection H as <-.
  rewrite Q2R_over by exact B1. pose proof (scaled x) as Sc. cbv zeta in Sc. fold n j in Sc.
  pose proof (@div_R (Qnum x * 2 ^ (n - Z.of_nat j)) (Zpos (Qden x)) ltac:(lia)) as [D1 D2]. fold z in D1, D2. rewrite Sc in D1, D2.
  assert (P : 0 < 2 ^ j) by (apply pow_lt; lra). set (r := Q2R x * / 2 ^ j) in *.
  assert (r0 : 0 <= r) by (apply Rmult_le_pos; [exact E | left; now apply Rinv_0_lt_compat]).
  replace (Q2R x) with (r * 2 ^ j) by (unfold r; field; lra). apply square_above_ok; [exact B1|].
  assert (Tail : exp r <= taylor r degree + term r degree * (IZR (2 * 2 ^ n) / IZR (2 ^ n))).
  { rewrite mult_IZR. replace (2 * IZR (2 ^ n) / IZR (2 ^ n)) with 2 by (field; lra). rewrite (Rmult_comm _ 2).
    apply taylor_above. split; [exact r0|]. apply Rmult_le_reg_r with (IZR (2 ^ n)); [exact HU | lra]. }
  apply (@horner_above_ok n r (z + 1)%Z B1 degree r0); [rewrite plus_IZR; left; exact D2 | | exact Tail].
  change (0 <= 2 * 2 ^ n)%Z. pose proof (Z.pow_nonneg 2 n ltac:(lia)). lia.
Qed.

(** ** log from above: guessed by a series, and checked by exp *)
Fixpoint arctanh (fuel : nat) (n square power : Z) (i : positive) : Z :=
  match fuel with
  | O => 0%Z
  | S fuel => if (Z.eqb power 0 || Z.eqb power (-1))%bool then 0%Z
              else (power / Zpos i + arctanh fuel n square (Z.shiftr (power * square) n) (i + 2))%Z
  end.
Definition arctanh_of (p q n : Z) : Z :=
  let power := (Z.shiftl p n / q)%Z in arctanh (Z.to_nat n) n (Z.shiftr (power * power) n) power 1.

Definition log_guess (x : Q) : Q :=
  let k := (Z.log2 (Qnum x) - Z.log2 (Zpos (Qden x)))%Z in
  let p := if Z.leb 0 k then Qnum x else Z.shiftl (Qnum x) (- k) in
  let q := if Z.leb 0 k then Z.shiftl (Zpos (Qden x)) k else Zpos (Qden x) in
  let n := (precision + Z.max 0 (Z.log2 (p + q) - Z.log2 (Z.abs (p - q))))%Z in
  let s := (2 * arctanh_of (p - q) (p + q) n + 2 * k * arctanh_of 1 3 n)%Z in
  (s + Z.shiftl (Z.abs s) (16 - n) + 4096 # Z.to_pos (2 ^ n))%Q.

Definition log_above (x : Q) : option Q :=
  if Qle_bool x 0 then None else
  if Qle_bool 1 x then
    if Qeq_bool x 1 then Some 0%Q else
    let y := log_guess x in if Qle_bool x (exp_below y) then Some y else None
  else
    let y := log_guess x in
    match exp_above (- y) with
    | Some e => if Qle_bool (x * e) 1 then Some y else None
    | None => None
    end.

Theorem log_above_ok x y : log_above x = Some y -> 0 < Q2R x /\ ln (Q2R x) <= Q2R y.
Proof.
  unfold log_above. destruct (Qle_bool x 0) eqn:E; [discriminate|]. apply Qgt_R in E. rewrite Q2R_0 in E.
  assert (L : forall v, Q2R x <= exp v -> ln (Q2R x) <= v).
  { intros v [H|H]; [left; rewrite <- (ln_exp v); now apply ln_increasing | right; rewrite H; apply ln_exp]. }
  destruct (Qle_bool 1 x) eqn:F.
  - destruct (Qeq_bool x 1) eqn:G.
    + intros H; injection H as <-. apply Qeq_bool_iff, Qeq_eqR in G. rewrite G, Q2R_1, Q2R_0, ln_1. lra.
    + destruct (Qle_bool x (exp_below (log_guess x))) eqn:H; [|discriminate]. intros K; injection K as <-.
      apply Qle_R in H. split; [exact E|]. apply L. eapply Rle_trans; [exact H | apply exp_below_ok].
  - destruct (exp_above (- log_guess x)) as [e|] eqn:G; [|discriminate]. apply exp_above_ok in G.
    destruct (Qle_bool (x * e) 1) eqn:H; [|discriminate]. intros K; injection K as <-.
    apply Qle_R in H. rewrite Q2R_mult, Q2R_1 in H. split; [exact E|]. apply L.
    rewrite Q2R_opp, exp_Ropp in G. pose proof (exp_pos (Q2R (log_guess x))) as P.
    set (w := exp (Q2R (log_guess x))) in *. assert (Q2R x * / w <= 1) by nra.
    apply Rmult_le_reg_r with (/ w); [now apply Rinv_0_lt_compat|]. rewrite Rinv_r; lra.
Qed.
