(** * What a profile of discrete Gaussian noise lacks to 1, from below

    Where a delta is close to 1, a trade-off curve asks for the rest: the half-lines that the difference leaves out. *)
From Coq Require Import ZArith QArith Qround Qreals Reals Lra Lia Bool.
From DPcore Require Import Theta.
From DPchecker Require Import Numbers Exponentials FixedPoint HalfLines ThetaBelow.
Open Scope R_scope.
Set Implicit Arguments.

(** [theta] at four times v is at most twice that at v: from 8 on they are the same, but for 2^-220 of it. *)
Definition theta_above (n : Z) (v : Q) : option Z :=
  let j := Z.max 0 ((size v - 3) / 2) in let w := (v * (1 # Z.to_pos (4 ^ j)))%Q in
  match half_above n (exp_minus true n (/ w)) w 0 with Some h => Some (twice n h * 2 ^ j)%Z | None => None end.

(** e^-y times the weight of the half-line from z over b(z), in units of 2^-n. *)
Definition weighed (n : Z) (v : Q) (z : Z) (y : Q) : Q :=
  let (f, s) := falling false n y in (f * half_below n (exp_minus false n (/ v)) v z # Z.to_pos (2 ^ s))%Q.
Definition left_out (n k m : Z) (v x : Q) : Q :=
  match theta_above n v with
  | Some all =>
      let z := (1 - m)%Z in let y := (m + k)%Z in
      if Z.ltb 0 all then ((weighed n v z (inject_Z (z * z) / (2 * v)) + weighed n v y (inject_Z (y * y) / (2 * v) - x)) / inject_Z all)%Q else 0%Q
  | None => 0%Q
  end.

(** ** Proof *)
Section LeftOut.
Variables (n : Z) (v : Q).
Hypothesis n_nonneg : (0 <= n)%Z.
Hypothesis v_pos : 0 < Q2R v.
Notation c := (/ (2 * Q2R v)).
Notation whole v := (theta (/ (2 * v)) 0).

Lemma whole_grows w j : 0 < w -> whole (w * 4 ^ j) <= whole w * 2 ^ j.
Proof.
  intros W. assert (Once : forall u, 0 < u -> whole (2 * u) * whole (2 * u) <= 2 * (whole u * whole u)).
  { intros u U. destruct (doubled U) as [-> _]. assert (H : 0 < / (2 * u)) by (apply Rinv_0_lt_compat; lra).
    pose proof (theta_centre (1 / 2) H). pose proof (theta_pos (1 / 2) H). nra. }
  induction j as [|j IH]; [simpl; rewrite !Rmult_1_r; lra|]. assert (P : 0 < w * 4 ^ j) by (apply Rmult_lt_0_compat, pow_lt; lra).
  replace (w * 4 ^ S j) with (2 * (2 * (w * 4 ^ j))) by (simpl; ring). set (u := w * 4 ^ j) in *.
  pose proof (Once u P) as A. pose proof (Once (2 * u) ltac:(lra)) as B.
  assert (T : 0 < whole u) by (apply theta_pos, Rinv_0_lt_compat; lra).
  apply Rle_trans with (2 * whole u); [|simpl; lra]. apply Rsqr_incr_0_var; [unfold Rsqr; nra | lra].
Qed.

Lemma Rmult_le_0_r a b : a <= 0 -> 0 <= b -> a * b <= 0. Proof. nra. Qed.

Lemma theta_above_ok t : theta_above n v = Some t -> whole (Q2R v) <= units n t.
Proof.
  unfold theta_above. set (j := Z.max 0 _). assert (J : (0 <= j)%Z) by apply Z.le_max_l. clearbody j. cbv zeta.
  assert (P : 0 < 4 ^ Z.to_nat j) by (apply pow_lt; lra). assert (P4 : IZR (4 ^ j) = 4 ^ Z.to_nat j).
  { rewrite <- (Z2Nat.id j J) at 1. now rewrite <- pow_IZR. }
  assert (P2 : IZR (2 ^ j) = 2 ^ Z.to_nat j) by (rewrite <- (Z2Nat.id j J) at 1; now rewrite <- pow_IZR).
  set (w := (v * (1 # Z.to_pos (4 ^ j)))%Q). assert (W : Q2R w = Q2R v / 4 ^ Z.to_nat j).
  { unfold w. rewrite Q2R_mult. unfold Q2R at 2. cbn [Qnum Qden]. rewrite Z2Pos.id, P4 by (apply Z.pow_pos_nonneg; lia). unfold Rdiv. ring. }
  assert (w0 : 0 < Q2R w) by (rewrite W; now apply Rdiv_lt_0_compat).
  destruct (half_above n _ w 0) as [h|] eqn:H; [|discriminate]. intros K; injection K as <-.
  apply half_above_ok in H; auto using safe_ratio_exp; [|lia]. rewrite bell_0, Rmult_1_l in H. destruct (twice_above n_nonneg w0 H) as [_ A].
  replace (Q2R v) with (Q2R w * 4 ^ Z.to_nat j) by (rewrite W; field; lra). eapply Rle_trans; [apply whole_grows, w0|].
  replace (units n (twice n h * 2 ^ j)) with (units n (twice n h) * 2 ^ Z.to_nat j) by (unfold units; rewrite mult_IZR, P2; unfold Rdiv; ring).
  apply Rmult_le_compat_r; [left; apply pow_lt; lra | exact A].
Qed.

Lemma weighed_ok z y w : (0 <= z)%Z -> 0 < w -> w * bell c 0 z = exp (- Q2R y) -> Q2R (weighed n v z y) / IZR (2 ^ n) <= w * half_line c z.
Proof.
  intros Z0 W E. destruct (half_below_ok v_pos n_nonneg Z0 (safe_ratio_exp false n_nonneg v_pos)) as [H0 H]. unfold weighed.
  set (h := half_below n _ v z) in *. pose proof (@falling_ok false n y n_nonneg ltac:(discriminate)) as F.
  destruct (falling false n y) as [f s]. destruct F as (S' & F0 & F). unfold value in F; cbn [fst snd safe] in *. assert (S : (0 <= s)%Z) by lia.
  pose proof (U_pos n_nonneg) as U. pose proof (bell_pos c 0 z) as B. pose proof (units_nonneg n_nonneg H0) as N.
  replace (Q2R (f * h # Z.to_pos (2 ^ s)) / IZR (2 ^ n)) with (units s f * units n h).
  2: { unfold units, Q2R; cbn [Qnum Qden]. rewrite Z2Pos.id, mult_IZR by (apply Z.pow_pos_nonneg; lia). pose proof (U_pos S). field. lra. }
  rewrite <- E in F. apply Rle_trans with (w * bell c 0 z * units n h); [now apply Rmult_le_compat_r|].
  rewrite Rmult_assoc. apply Rmult_le_compat_l; lra.
Qed.

Theorem left_out_ok k m x : (m <= 0)%Z -> (0 <= m + k)%Z ->
  (half_line c m - exp (Q2R x) * half_line c (m + k)) / theta c 0 <= 1 - Q2R (left_out n k m v x).
Proof.
  intros M K. pose proof (c_positive v_pos) as Hc. pose proof (theta_pos 0 Hc) as T. pose proof (half_lines m Hc) as S. pose proof (exp_pos (Q2R x)) as X.
  pose proof (half_line_nonneg (1 - m) Hc) as N1. pose proof (half_line_nonneg (m + k) Hc) as N2.
  assert (R : Q2R (left_out n k m v x) * theta c 0 <= half_line c (1 - m) + exp (Q2R x) * half_line c (m + k)).
  { assert (Zero : Q2R 0 * theta c 0 <= half_line c (1 - m) + exp (Q2R x) * half_line c (m + k)) by (rewrite Q2R_0; nra).
    unfold left_out. destruct (theta_above n v) as [all|] eqn:A; [|exact Zero]. apply theta_above_ok in A. cbv zeta.
    destruct (Z.ltb_spec 0 all) as [L|]; [|exact Zero]. apply IZR_lt in L.
    assert (nz : ~ (inject_Z all == 0)%Q) by (apply Qnonzero_R; rewrite Q2R_Z; lra). rewrite Q2R_div, Q2R_plus, Q2R_Z by exact nz.
    assert (E : forall z, Q2R (inject_Z (z * z) / (2 * v)) = c * IZR z * IZR z).
    { intros z. assert (E : Q2R (2 * v) = 2 * Q2R v) by (rewrite Q2R_mult; f_equal; unfold Q2R; simpl; lra).
      rewrite Q2R_div, Q2R_Z, mult_IZR, E by (apply Qnonzero_R; lra). field. lra. }
    pose proof (@weighed_ok (1 - m) (inject_Z ((1 - m) * (1 - m)) / (2 * v)) 1 ltac:(lia) ltac:(lra)) as W1.
    pose proof (@weighed_ok (m + k) (inject_Z ((m + k) * (m + k)) / (2 * v) - x) (exp (Q2R x)) K X) as W2.
    specialize (W1 ltac:(rewrite Rmult_1_l, E; unfold bell; f_equal; unfold Rsqr; ring)).
    specialize (W2 ltac:(unfold bell; rewrite Q2R_minus, E, <- exp_plus; f_equal; unfold Rsqr; ring)).
    pose proof (U_pos n_nonneg) as U. unfold units in A. set (a := Q2R (weighed n v (1 - m) _)) in *. set (b := Q2R (weighed n v (m + k) _)) in *.
    assert (Z0 : 0 <= half_line c (1 - m) + exp (Q2R x) * half_line c (m + k)) by nra. set (r := half_line c (1 - m) + _) in *.
    assert (AB : (a + b) / IZR (2 ^ n) <= r) by (unfold Rdiv in *; unfold r; lra).
    destruct (Rle_dec 0 (a + b)) as [P|P].
    - apply Rle_trans with ((a + b) / IZR all * (IZR all / IZR (2 ^ n))).
      + apply Rmult_le_compat_l; [apply Rmult_le_pos; [exact P | left; now apply Rinv_0_lt_compat] | exact A].
      + replace ((a + b) / IZR all * (IZR all / IZR (2 ^ n))) with ((a + b) / IZR (2 ^ n)) by (field; lra). exact AB.
    - apply Rle_trans with 0; [|exact Z0]. apply Rmult_le_0_r; [|lra].
      apply Rmult_le_0_r; [lra | left; now apply Rinv_0_lt_compat]. }
  apply Rmult_le_reg_r with (theta c 0); [exact T|]. unfold Rdiv at 1. rewrite (Rmult_assoc _ (/ theta c 0)), Rinv_l, Rmult_1_r by lra. rewrite Rmult_minus_distr_r. lra.
Qed.
End LeftOut.
