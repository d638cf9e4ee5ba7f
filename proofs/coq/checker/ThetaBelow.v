(** * The weight of all whole numbers, from below, for large v

    With v doubled again and again, the squares of [theta] at 0 and at 1/2 are, but for a power of 2, the steps of an
    arithmetic-geometric mean. It begins at a v between 1 and 2, where there are few terms. *)
From Coq Require Import ZArith QArith Qround Qreals Reals Lra Lia Psatz Bool.
From DPcore Require Import Theta.
From DPchecker Require Import Numbers Exponentials FixedPoint HalfLines.
Open Scope R_scope.
Set Implicit Arguments.

Definition mean (p : Z * Z) : Z * Z := let (a, g) := p in (Z.shiftr (a + g) 1, Z.sqrt (a * g)).

(** Twice the half-line from 0, but once b(0). *)
Definition twice (n h : Z) : Z := Z.max 0 (2 * h - 2 ^ n).

Definition theta_below (n : Z) (v : Q) : Z :=
  let l := size v in let w := (v * (1 # Z.to_pos (2 ^ l)))%Q in
  match half_above n (exp_minus true n (/ w)) w 0 with
  | Some h =>
      let above := twice n h in let below := twice n (half_below n (exp_minus false n (/ w)) w 0) in
      let double := twice n (half_below n (exp_minus false n (/ (2 * w))) (2 * w) 0) in
      let (a, _) := Z.iter l mean (times false n below below, Z.max 0 (times false n double double - times true n above above))%Z in
      Z.sqrt (a * 2 ^ (n + l))
  | None => 0%Z
  end.

(** ** Proof *)
Section Theta.
Variable n : Z.
Hypothesis n_nonneg : (0 <= n)%Z.
Notation whole v := (theta (/ (2 * v)) 0).
Notation shifted v := (theta (/ (2 * v)) (1 / 2)).

Lemma doubled v : 0 < v -> whole (2 * v) * whole (2 * v) = whole v * whole v + shifted v * shifted v /\
  shifted (2 * v) * shifted (2 * v) = 2 * (whole v * shifted v).
Proof.
  intros V. assert (H : 0 < / (2 * (2 * v))) by (apply Rinv_0_lt_compat; lra).
  replace (/ (2 * v)) with (2 * / (2 * (2 * v))) by (field; lra). split; [now apply theta_mean | now apply theta_half_mean].
Qed.

Definition means (v : R) (j : nat) (p : Z * Z) : Prop :=
  (0 <= fst p /\ 0 <= snd p)%Z /\ units n (fst p) * 2 ^ j <= whole (v * 2 ^ j) * whole (v * 2 ^ j) /\
  units n (snd p) * 2 ^ j <= shifted (v * 2 ^ j) * shifted (v * 2 ^ j).

Lemma sqrt_units x y : (0 <= x)%Z -> 0 <= y -> units (n + n) x <= y * y -> units n (Z.sqrt x) <= y.
Proof.
  intros X Y H. apply Rsqr_incr_0_var; [|exact Y]. unfold Rsqr. rewrite units_mult by exact n_nonneg.
  eapply Rle_trans; [|exact H]. apply units_mono; [lia | apply Z.sqrt_spec, X].
Qed.

Lemma mean_ok v j p : 0 < v -> means v j p -> means v (S j) (mean p).
Proof.
  intros V. destruct p as [a g]. unfold means, mean; cbn [fst snd]. intros ((A0 & G0) & A & G). assert (P : 0 < 2 ^ j) by (apply pow_lt; lra).
  destruct (@doubled (v * 2 ^ j)) as [W H]; [now apply Rmult_lt_0_compat|].
  replace (v * 2 ^ S j) with (2 * (v * 2 ^ j)) by (simpl; ring). set (w := v * 2 ^ j) in *. rewrite W, H.
  assert (T : forall t, 0 <= theta (/ (2 * w)) t) by (intros t; left; apply theta_pos, Rinv_0_lt_compat; unfold w; nra).
  split; [split; [apply Z.shiftr_nonneg; lia | apply Z.sqrt_nonneg]|]. split.
  - apply Rle_trans with (units n (a + g) * 2 ^ j); [|rewrite units_plus; lra].
    replace (units n (Z.shiftr (a + g) 1) * 2 ^ S j) with (units n (Z.shiftr (a + g) 1 * 2 ^ 1) * 2 ^ j)
      by (unfold units, Rdiv; rewrite mult_IZR, <- tech_pow_Rmult; change (2 ^ 1)%Z with 2%Z; ring).
    apply Rmult_le_compat_r; [lra|]. apply units_mono; [exact n_nonneg|]. rewrite Z.shiftr_div_pow2 by lia.
    pose proof (Z.div_mod (a + g) (2 ^ 1) ltac:(lia)). pose proof (Z.mod_pos_bound (a + g) (2 ^ 1) ltac:(lia)). lia.
  - apply Rmult_le_reg_r with (/ 2 ^ S j); [apply Rinv_0_lt_compat, pow_lt; lra|]. rewrite Rmult_assoc, Rinv_r, Rmult_1_r by (apply pow_nonzero; lra).
    assert (N : 0 <= 2 * (whole w * shifted w) * / 2 ^ S j).
    { apply Rmult_le_pos; [pose proof (Rmult_le_pos _ _ (T 0) (T (1 / 2))); lra | left; apply Rinv_0_lt_compat, pow_lt; lra]. }
    apply sqrt_units; [nia | exact N|]. rewrite <- units_mult by exact n_nonneg.
    replace (2 * (whole w * shifted w) * / 2 ^ S j * (2 * (whole w * shifted w) * / 2 ^ S j))
      with (whole w * whole w / 2 ^ j * (shifted w * shifted w / 2 ^ j)) by (simpl; field; lra).
    apply Rmult_le_compat; try (now apply units_nonneg); (apply Rmult_le_reg_r with (2 ^ j); [exact P|]; unfold Rdiv;
      rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra; assumption).
Qed.

Lemma means_ok v l p : 0 < v -> means v 0 p -> means v l (Nat.iter l mean p).
Proof. intros V H. induction l as [|l IH]; [exact H|]. simpl. now apply mean_ok. Qed.

(** [twice] keeps the side. *)
Lemma twice_below v h : 0 < v -> units n h <= half_line (/ (2 * v)) 0 -> (0 <= twice n h)%Z /\ units n (twice n h) <= whole v.
Proof.
  intros V H. assert (Hc : 0 < / (2 * v)) by (apply Rinv_0_lt_compat; lra). pose proof (theta_half_line Hc) as T. pose proof (theta_pos 0 Hc).
  unfold twice. split; [lia|]. destruct (Z.max_spec 0 (2 * h - 2 ^ n)) as [[_ ->]|[_ ->]]; [|unfold units, Rdiv; lra].
  rewrite T, <- (units_one n_nonneg). unfold units in *. rewrite minus_IZR, mult_IZR. unfold Rdiv in *. lra.
Qed.
Lemma twice_above v h : 0 < v -> half_line (/ (2 * v)) 0 <= units n h -> (0 <= twice n h)%Z /\ whole v <= units n (twice n h).
Proof.
  intros V H. assert (Hc : 0 < / (2 * v)) by (apply Rinv_0_lt_compat; lra). pose proof (theta_half_line Hc) as T.
  unfold twice. split; [lia|]. apply Rle_trans with (units n (2 * h - 2 ^ n)); [|apply units_mono; lia].
  rewrite T, <- (units_one n_nonneg). unfold units in *. rewrite minus_IZR, mult_IZR. unfold Rdiv in *. lra.
Qed.

Lemma below_from_0 w : 0 < Q2R w ->
  (0 <= twice n (half_below n (exp_minus false n (/ w)) w 0))%Z /\ units n (twice n (half_below n (exp_minus false n (/ w)) w 0)) <= whole (Q2R w).
Proof.
  intros W. destruct (half_below_ok W n_nonneg (Z.le_refl 0) (safe_ratio_exp false n_nonneg W)) as [_ H]. rewrite bell_0, Rmult_1_l in H.
  now apply twice_below.
Qed.

Lemma theta_below_nonneg v : (0 <= theta_below n v)%Z.
Proof. unfold theta_below. destruct (half_above _ _ _ _); [|lia]. cbv zeta. destruct (Z.iter _ _ _). apply Z.sqrt_nonneg. Qed.

Theorem theta_below_ok v : 0 < Q2R v -> units n (theta_below n v) <= whole (Q2R v).
Proof.
  intros V. unfold theta_below. pose proof (Z.log2_nonneg (Qfloor v)) as L. fold (size v) in L. set (l := size v) in *.
  assert (P : 0 < 2 ^ Z.to_nat l) by (apply pow_lt; lra).
  assert (P2 : IZR (2 ^ l) = 2 ^ Z.to_nat l) by (rewrite <- two_pow, Z2Nat.id by exact L; reflexivity).
  set (w := (v * (1 # Z.to_pos (2 ^ l)))%Q). assert (W : Q2R w = Q2R v / 2 ^ Z.to_nat l).
  { unfold w. rewrite Q2R_mult, Q2R_over, P2 by exact L. unfold Rdiv. ring. }
  assert (w0 : 0 < Q2R w) by (rewrite W; now apply Rdiv_lt_0_compat).
  assert (w2 : Q2R (2 * w) = 2 * Q2R w) by (rewrite Q2R_mult; f_equal; unfold Q2R; simpl; lra).
  assert (Hc : 0 < / (2 * Q2R v)) by now apply c_positive.
  destruct (half_above n _ w 0) as [h|] eqn:H; [|left; unfold units, Rdiv; rewrite Rmult_0_l; now apply theta_pos].
  apply half_above_ok in H; auto using safe_ratio_exp; [|lia]. rewrite bell_0, Rmult_1_l in H.
  destruct (twice_above w0 H) as [A0 A]. destruct (below_from_0 w0) as [B0 B].
  assert (D : 0 < Q2R (2 * w)) by lra. destruct (below_from_0 D) as [D0 D1]. rewrite w2 in D1. cbv zeta.
  set (above := twice n h) in *. set (below := twice n (half_below n _ w 0)) in *. set (double := twice n (half_below n _ (2 * w) 0)) in *.
  clearbody above below double.
  pose proof (theta_pos 0 (c_positive w0)) as T. pose proof (theta_pos (1 / 2) (c_positive w0)) as T'.
  pose proof (units_nonneg n_nonneg B0) as UB. pose proof (units_nonneg n_nonneg D0) as UD. destruct (@doubled (Q2R w) w0) as [Two _].
  destruct (@times_ok false n n below below _ _ n_nonneg n_nonneg B0 B0 (Rle_trans _ _ _ UB B) (Rle_trans _ _ _ UB B) B B) as [X0 X].
  destruct (@times_ok false n n double double _ _ n_nonneg n_nonneg D0 D0 (Rle_trans _ _ _ UD D1) (Rle_trans _ _ _ UD D1) D1 D1) as [Y0 Y].
  destruct (@times_ok true n n above above _ _ n_nonneg n_nonneg A0 A0 (Rlt_le _ _ T) (Rlt_le _ _ T) A A) as [Z0 Z]. cbn [safe] in X, Y, Z.
  set (a := times false n below below) in *. set (g := Z.max 0 (times false n double double - times true n above above)).
  assert (G : units n g <= shifted (Q2R w) * shifted (Q2R w)).
  { unfold g. destruct (Z.max_spec 0 (times false n double double - times true n above above)) as [[_ ->]|[_ ->]].
    - unfold units in *. rewrite minus_IZR. unfold Rdiv in *. lra.
    - unfold units, Rdiv. rewrite Rmult_0_l. left. now apply Rmult_lt_0_compat. }
  assert (M : means (Q2R w) 0 (a, g)) by (unfold means; cbn [fst snd]; rewrite !Rmult_1_r; repeat split; auto; unfold g; lia).
  apply (means_ok (Z.to_nat l) w0) in M.
  replace (Z.iter l mean (a, g)) with (Nat.iter (Z.to_nat l) mean (a, g)) by (rewrite <- iter_nat, Z2Nat.id by exact L; reflexivity).
  destruct (Nat.iter (Z.to_nat l) mean (a, g)) as [a' g']. destruct M as ((M0 & _) & M & _). cbn [fst snd] in M0, M.
  replace (Q2R w * 2 ^ Z.to_nat l) with (Q2R v) in M by (rewrite W; field; lra).
  assert (N : (0 <= 2 ^ (n + l))%Z) by (apply Z.pow_nonneg; lia).
  apply sqrt_units; [now apply Z.mul_nonneg_nonneg | left; now apply theta_pos|]. eapply Rle_trans; [|exact M]. right.
  rewrite (Z.pow_add_r 2 n l), (Z.mul_comm (2 ^ n)), Z.mul_assoc, units_shift by assumption. unfold units. rewrite mult_IZR, P2. unfold Rdiv. ring.
Qed.
End Theta.
