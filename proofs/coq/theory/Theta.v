(** * A lattice of Gaussian weights is heaviest when it is centred

    [theta c t] is the sum of [exp(-c (z - t)^2)] over all integers z.
    Claim: [theta c t <= theta c 0] for every real t. This is
    what makes discrete Gaussian noise as private as continuous noise, and is usually had from Poisson summation. Here is
    a proof by rotation of the plane: summing over m + n and m - n instead of m and n gives

        theta(s) theta(t) = F((s+t)/2) F((s-t)/2) + F((s+t-1)/2) F((s-t+1)/2),      F = theta (2c),

    so by Cauchy and Schwarz [theta(t)^4 <= theta(2t) theta(0)^3].
    Then [r = theta/theta(0)] obeys [r(2t) >= r(t)^4], and being
    bounded it is nowhere above 1. *)
From Coq Require Import Reals Lra Psatz Lia ZArith.
From Coquelicot Require Import Coquelicot.
From DPcore Require Import Distributions Indistinguishability Integers DoubleSums.
Open Scope R_scope.
Set Implicit Arguments.

(** ** The weights *)
Section Theta.

Definition bell (c t : R) (z : Z) : R := exp (- (c * (IZR z - t)²)).
Definition theta (c t : R) : R := sumZ (bell c t).

Lemma bell_pos c t z : 0 < bell c t z. Proof. apply exp_pos. Qed.

(** [(z - t)^2 >= z^2/2 - t^2 >= |z|/2 - t^2]. *)
Lemma bell_le c t z : 0 < c -> bell c t z <= exp (c * t²) * exp (- (c / 2)) ^ Z.abs_nat z.
Proof.
  intros Hc. unfold bell.
  assert (E : exp (- (c / 2)) ^ Z.abs_nat z = exp (- (c / 2) * Rabs (IZR z))).
  { rewrite <- abs_IZR, <- Zabs2Nat.id_abs, <- INR_IZR_INZ. generalize (Z.abs_nat z) as n. clear.
    induction n as [|n IH]; [simpl; now rewrite Rmult_0_r, exp_0|].
    rewrite S_INR, <- tech_pow_Rmult, IH, <- exp_plus. f_equal; ring. }
  rewrite E, <- exp_plus. apply exp_le.
  assert (Rabs (IZR z) <= (IZR z)²).
  { rewrite <- abs_IZR. unfold Rsqr. rewrite <- mult_IZR. apply IZR_le. nia. }
  pose proof (Rle_0_sqr (IZR z - 2 * t)). unfold Rsqr in *. nra.
Qed.

Lemma summable_geometric q : 0 < q < 1 -> summable (fun z => q ^ Z.abs_nat z).
Proof.
  intros Hq. assert (G : ex_series (fun n => q ^ n)) by (apply ex_series_geom; rewrite Rabs_pos_eq; lra).
  split.
  - eapply ex_series_ext; [|exact G]. intros n; unfold upper; f_equal; lia.
  - eapply ex_series_ext; [|exact (ex_series_scal_l q _ G)]. intros n; unfold lower.
    replace (Z.abs_nat (- Z.of_nat (S n))) with (S n) by lia. reflexivity.
Qed.

Lemma half_between c : 0 < c -> 0 < exp (- (c / 2)) < 1.
Proof. intros; split; [apply exp_pos|]. rewrite <- exp_0. apply exp_increasing; lra. Qed.

Lemma summable_bell c t : 0 < c -> summable (bell c t).
Proof.
  intros Hc. apply summable_le with (fun z => exp (c * t²) * exp (- (c / 2)) ^ Z.abs_nat z).
  - intros z. rewrite Rabs_pos_eq by (left; apply bell_pos). now apply bell_le.
  - apply summable_scale, summable_geometric, half_between, Hc.
Qed.

Lemma theta_pos c t : 0 < c -> 0 < theta c t.
Proof. intros Hc. exact (sumZ_pos (bell_pos c t) (summable_bell t Hc)). Qed.

Lemma theta_shift c t k : 0 < c -> theta c (t + IZR k) = theta c t.
Proof.
  intros Hc. unfold theta. destruct (sumZ_shift (- k) (summable_bell t Hc)) as [_ <-]. apply sumZ_ext. intros z.
  unfold bell. do 4 f_equal. rewrite plus_IZR, opp_IZR. ring.
Qed.

(** The rotation of the plane. *)
Lemma theta_product c s t : 0 < c ->
  theta c s * theta c t = theta (2 * c) ((s + t) / 2) * theta (2 * c) ((s - t) / 2) +
                          theta (2 * c) ((s + t - 1) / 2) * theta (2 * c) ((s - t + 1) / 2).
Proof.
  intros Hc. assert (Hc2 : 0 < 2 * c) by lra.
  set (a := fun m v => bell c s m * bell c t (v + - m)).
  assert (rows : forall m, summable (a m) /\ sumZ (a m) = theta c t * bell c s m).
  { intros m. destruct (sumZ_shift (- m) (summable_bell t Hc)) as [S E]. unfold a. split; [now apply summable_scale|].
    rewrite (sumZ_scale (bell c s m) (fun v => bell c t (v + - m))), E. apply Rmult_comm. }
  destruct (@sumZ_swap a) as [S E].
  - intros; unfold a. apply Rmult_le_pos; left; apply bell_pos.
  - intros; apply rows.
  - eapply summable_ext; [intros m; symmetry; apply (rows m) | apply summable_scale, summable_bell, Hc].
  - rewrite (sumZ_ext _ _ (fun m => proj2 (rows m))), sumZ_scale in E. fold (theta c s) in E.
    rewrite Rmult_comm, <- E. clear E rows.
    (* a (m, v) is a bell in m around (v + s - t)/2 *)
    assert (inner : forall v, sumZ (fun m => a m v) = exp (- (c / 2 * (IZR v - (s + t))²)) * theta (2 * c) ((IZR v + s
      - t) / 2)).
    { intros v. unfold theta. rewrite <- sumZ_scale. apply sumZ_ext. intros m. unfold a, bell. rewrite <- !exp_plus. f_equal.
      rewrite plus_IZR, opp_IZR. unfold Rsqr. field. }
    assert (N : forall v, 0 <= sumZ (fun m => a m v)).
    { intros v. rewrite inner. apply Rmult_le_pos; left; [apply exp_pos | now apply theta_pos]. }
    destruct (sumZ_parity N S) as [_ P]. rewrite P. f_equal.
    + rewrite Rmult_comm. unfold theta at 2. rewrite <- sumZ_scale. apply sumZ_ext. intros k.
      rewrite inner, Rmult_comm. f_equal.
      * rewrite mult_IZR. replace ((2 * IZR k + s - t) / 2) with ((s - t) / 2 + IZR k) by field. now apply theta_shift.
      * unfold bell. f_equal. rewrite mult_IZR. unfold Rsqr. field.
    + rewrite Rmult_comm. unfold theta at 2. rewrite <- sumZ_scale. apply sumZ_ext. intros k.
      rewrite inner, Rmult_comm. f_equal.
      * rewrite plus_IZR, mult_IZR. replace ((2 * IZR k + 1 + s - t) / 2) with ((s - t + 1) / 2 + IZR k) by field.
        now apply theta_shift.
      * unfold bell. f_equal. rewrite plus_IZR, mult_IZR. unfold Rsqr. field.
Qed.

Lemma theta_half c t : 0 < c -> theta c (t + 1 / 2) = theta c (t - 1 / 2).
Proof. intros Hc. rewrite <- (theta_shift (t - 1 / 2) 1 Hc). f_equal. simpl; field. Qed.

(** [theta(t)^4 <= theta(2t) theta(0)^3]. *)
Lemma theta_power c t : 0 < c -> (theta c t * theta c t) * (theta c t * theta c t) <=
  (theta c (2 * t) * theta c 0) * (theta c 0 * theta c 0).
Proof.
  intros Hc. rewrite (theta_product t t Hc), (theta_product (2 * t) 0 Hc), (theta_product 0 0 Hc).
  set (F := theta (2 * c)).
  replace (F ((t + t) / 2)) with (F t) by (f_equal; field).
  replace (F ((t - t) / 2)) with (F 0) by (f_equal; field).
  replace (F ((t + t - 1) / 2)) with (F (t - 1 / 2)) by (f_equal; field).
  replace (F ((t - t + 1) / 2)) with (F (1 / 2)) by (f_equal; field).
  replace (F ((2 * t + 0) / 2)) with (F t) by (f_equal; field).
  replace (F ((2 * t - 0) / 2)) with (F t) by (f_equal; field).
  replace (F ((2 * t + 0 - 1) / 2)) with (F (t - 1 / 2)) by (f_equal; field).
  replace (F ((2 * t - 0 + 1) / 2)) with (F (t - 1 / 2)) by (unfold F; rewrite <- theta_half by lra; f_equal; field).
  replace (F ((0 + 0) / 2)) with (F 0) by (f_equal; field).
  replace (F ((0 - 0) / 2)) with (F 0) by (f_equal; field).
  replace (F ((0 + 0 - 1) / 2)) with (F (1 / 2)) by (unfold F; replace (1 / 2) with (0 + 1 / 2) by ring;
    rewrite theta_half by lra; f_equal; field).
  replace (F ((0 - 0 + 1) / 2)) with (F (1 / 2)) by (f_equal; field).
  pose proof (Rle_0_sqr (F t * F (1 / 2) - F (t - 1 / 2) * F 0)) as Q. unfold Rsqr in Q. nra.
Qed.

Lemma theta_bounded c : 0 < c -> exists B, forall t, theta c t <= B.
Proof.
  intros Hc. exists (exp c * sumZ (fun z => exp (- (c / 2)) ^ Z.abs_nat z)). intros t.
  assert (G : summable (fun z => exp (- (c / 2)) ^ Z.abs_nat z)) by now apply summable_geometric, half_between.
  rewrite <- (theta_shift t (- Int_part t) Hc). rewrite opp_IZR. set (u := t + - IZR (Int_part t)).
  assert (U : 0 <= u < 1) by (unfold u; destruct (base_Int_part t); lra).
  rewrite <- sumZ_scale. apply sumZ_le; [|now apply summable_scale].
  intros z; split; [left; apply bell_pos|]. eapply Rle_trans; [now apply bell_le|].
  apply Rmult_le_compat_r; [left; apply pow_lt, exp_pos|]. apply exp_le.
  assert (u² <= 1) by (unfold Rsqr; nra). nra.
Qed.

Theorem theta_centre c t : 0 < c -> theta c t <= theta c 0.
Proof.
  intros Hc. destruct (theta_bounded Hc) as [B HB]. pose proof (theta_pos 0 Hc) as T0.
  set (r := fun t => theta c t / theta c 0).
  assert (R0 : forall t, 0 < r t) by (intros; apply Rdiv_lt_0_compat; auto using theta_pos).
  assert (R4 : forall t, (r t * r t) * (r t * r t) <= r (2 * t)).
  { intros u. unfold r. pose proof (theta_power u Hc) as P. set (z := theta c 0) in *.
    replace (theta c (2 * u) / z) with ((theta c (2 * u) * z) * (z * z) * / ((z * z) * (z * z))) by (field; lra).
    replace (theta c u / z * (theta c u / z) * (theta c u / z * (theta c u / z))) with
      ((theta c u * theta c u) * (theta c u * theta c u) * / ((z * z) * (z * z))) by (field; lra).
    apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; repeat apply Rmult_lt_0_compat; exact T0 | exact P]. }
  apply Rnot_lt_le; intros C.
  assert (C' : 1 < r t) by (unfold r; apply Rmult_lt_reg_r with (theta c 0); [exact T0|]; unfold Rdiv;
    rewrite Rmult_assoc, Rinv_l; lra).
  (* the excess over 1 doubles, at the least, whenever t is doubled *)
  assert (grow : forall n, exists u, INR n * (r t - 1) + 1 <= r u).
  { induction n as [|n (u & IH)].
    - exists t. simpl; lra.
    - destruct n as [|n]; [exists t; simpl; lra|].
      exists (2 * u). eapply Rle_trans; [|apply R4]. rewrite (S_INR (S n)). set (k := INR (S n)) in *. set (q := r u) in *.
      assert (k1 : 1 <= k) by (unfold k; rewrite S_INR; pose proof (pos_INR n); lra).
      set (e := r t - 1) in *. assert (e0 : 0 < e) by (unfold e; lra).
      assert (1 * e <= k * e) by (apply Rmult_le_compat_r; lra).
      assert (q1 : 1 <= q) by lra. assert (2 * q - 1 <= q * q) by (pose proof (Rle_0_sqr (q - 1)) as S;
        unfold Rsqr in S; lra).
      assert (q * q <= (q * q) * (q * q)) by nra. lra. }
  destruct (archimed_cor1 ((r t - 1) / (B / theta c 0 + 1))) as (n & Hn & n0).
  { apply Rdiv_lt_0_compat; [lra|]. assert (0 < B / theta c 0); [|lra].
    apply Rdiv_lt_0_compat; [|exact T0]. eapply Rlt_le_trans; [exact T0 | apply HB]. }
  destruct (grow n) as (u & G). assert (r u <= B / theta c 0).
  { unfold r, Rdiv. apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat | apply HB]. }
  assert (0 < B / theta c 0) by (specialize (R0 u); lra). set (b := B / theta c 0) in *.
  apply lt_0_INR in n0. apply Rmult_lt_compat_l with (r := INR n * (b + 1)) in Hn; [|nra].
  replace (INR n * (b + 1) * / INR n) with (b + 1) in Hn by (field; lra).
  replace (INR n * (b + 1) * ((r t - 1) / (b + 1))) with (INR n * (r t - 1)) in Hn by (field; lra).
  lra.
Qed.

(** ** As c is halved, the squares of [theta c 0] and [theta c (1/2)] take the steps of the arithmetic-geometric mean *)
Lemma theta_mean c : 0 < c ->
  theta c 0 * theta c 0 = theta (2 * c) 0 * theta (2 * c) 0 + theta (2 * c) (1 / 2) * theta (2 * c) (1 / 2).
Proof.
  intros Hc. rewrite theta_product by exact Hc. replace ((0 + 0) / 2) with 0 by field. replace ((0 - 0) / 2) with 0 by field.
  replace ((0 - 0 + 1) / 2) with (0 + 1 / 2) by field. replace ((0 + 0 - 1) / 2) with (0 - 1 / 2) by field.
  rewrite <- theta_half, Rplus_0_l by lra. reflexivity.
Qed.

Lemma theta_half_mean c : 0 < c -> theta c (1 / 2) * theta c (1 / 2) = 2 * (theta (2 * c) 0 * theta (2 * c) (1 / 2)).
Proof.
  intros Hc. rewrite theta_product by exact Hc. replace ((1 / 2 + 1 / 2) / 2) with (1 / 2) by field.
  replace ((1 / 2 - 1 / 2) / 2) with 0 by field. replace ((1 / 2 + 1 / 2 - 1) / 2) with 0 by field.
  replace ((1 / 2 - 1 / 2 + 1) / 2) with (1 / 2) by field. ring.
Qed.

(** ** Half-lines: the weight of m, m + 1, ... *)
Definition half_line (c : R) (m : Z) : R := Series (fun n => bell c 0 (m + Z.of_nat n)).

Lemma half_line_sums c m : 0 < c -> ex_series (fun n => bell c 0 (m + Z.of_nat n)).
Proof.
  intros Hc. destruct (sumZ_shift m (summable_bell 0 Hc)) as [[E _] _]. eapply ex_series_ext; [|exact E].
  intros n. unfold upper. f_equal. lia.
Qed.

Lemma half_line_next c m : 0 < c -> half_line c m = bell c 0 m + half_line c (m + 1).
Proof.
  intros Hc. unfold half_line. rewrite Series_incr_1 by now apply half_line_sums. f_equal; [f_equal; simpl; lia|].
  apply Series_ext. intros n. f_equal. lia.
Qed.

Lemma half_line_nonneg c m : 0 < c -> 0 <= half_line c m.
Proof.
  intros Hc. rewrite <- (@Series_zero (fun _ => 0)) by reflexivity. apply Series_le; [|now apply half_line_sums].
  intros n. split; [lra | left; apply bell_pos].
Qed.

Lemma half_line_falls c i j : 0 < c -> (i <= j)%Z -> half_line c j <= half_line c i.
Proof.
  intros Hc H. replace j with (i + Z.of_nat (Z.to_nat (j - i)))%Z by lia. generalize (Z.to_nat (j - i)) as n. clear H j.
  induction n as [|n IH]; [rewrite Z.add_0_r; lra|]. eapply Rle_trans; [|exact IH].
  rewrite (half_line_next (i + Z.of_nat n) Hc).
  replace (i + Z.of_nat n + 1)%Z with (i + Z.of_nat (S n))%Z by lia. pose proof (bell_pos c 0 (i + Z.of_nat n)). lra.
Qed.

Lemma half_lines c m : 0 < c -> half_line c m + half_line c (1 - m) = theta c 0.
Proof.
  intros Hc. assert (Even : forall z, bell c 0 (- z) = bell c 0 z)
    by (intros z; unfold bell; rewrite opp_IZR; f_equal; unfold Rsqr; ring).
  revert m. apply Z.bi_induction.
  - intros a b ->; reflexivity.
  - unfold theta, sumZ, half_line. f_equal. apply Series_ext; intros n; unfold lower.
    rewrite <- (Even (1 - 0 + Z.of_nat n)%Z). f_equal. lia.
  - intros m. rewrite (half_line_next m Hc), (half_line_next (1 - Z.succ m) Hc).
    replace (1 - Z.succ m)%Z with (- m)%Z by lia. rewrite Even.
    replace (- m + 1)%Z with (1 - m)%Z by lia. replace (m + 1)%Z with (Z.succ m) by lia. split; intros H; lra.
Qed.

Lemma bell_0 c : bell c 0 0 = 1.
Proof. unfold bell. rewrite Rminus_0_r, Rsqr_0, Rmult_0_r, Ropp_0. apply exp_0. Qed.

Lemma theta_half_line c : 0 < c -> theta c 0 = 2 * half_line c 0 - 1.
Proof. intros Hc. rewrite <- (half_lines 0 Hc), (half_line_next 0 Hc), bell_0. simpl. lra. Qed.

(** Each weight is the one before it times a factor that falls. *)
Lemma bell_next c m : bell c 0 (m + 1) = bell c 0 m * exp (- (c * (2 * IZR m + 1))).
Proof. unfold bell. rewrite <- exp_plus, plus_IZR. f_equal. unfold Rsqr. ring. Qed.

Lemma half_line_above c m : 0 < c -> half_line c m * (1 - exp (- (c * (2 * IZR m + 1)))) <= bell c 0 m.
Proof.
  intros Hc. pose proof (half_line_next m Hc) as E. set (a := exp _).
  assert (H : half_line c (m + 1) <= a * half_line c m); [|lra].
  unfold half_line. rewrite <- Series_scal_l. apply Series_le; [|exact (ex_series_scal_l a _ (half_line_sums m Hc))].
  intros n. split; [left; apply bell_pos|]. replace (m + 1 + Z.of_nat n)%Z with (m + Z.of_nat n + 1)%Z by ring.
  rewrite bell_next, Rmult_comm. apply Rmult_le_compat_r; [left; apply bell_pos|]. apply exp_le.
  rewrite plus_IZR. pose proof (IZR_le 0 (Z.of_nat n) ltac:(lia)). nra.
Qed.
End Theta.
