(** * Rational bounds of the curve of GaussianDP, and the side condition of pure_to_gaussian

    With [a = x/mu - mu/2] and [b = x/mu + mu/2] the curve is the density at [a] times the difference of Mills' ratios, in which
    e^x does not occur; it rises with mu. *)
From Coq Require Import ZArith QArith Qround Qreals Reals Lra Lia Psatz Bool.
From DPcore Require Import Indistinguishability Normal Mills GaussianDP.
From DPchecker Require Import Numbers Exponentials NormalTails.
Open Scope R_scope.
Set Implicit Arguments.

(** ** The curve *)
Lemma normal_delta_mills mu x : 0 < mu ->
  normal_delta (mu * mu) x = phi (x / mu - mu / 2) * (mills (x / mu - mu / 2) - mills (x / mu + mu / 2)).
Proof.
  intros M. rewrite normal_delta_pos, sqrt_square by nra. set (a := x / mu - mu / 2). set (b := x / mu + mu / 2).
  replace (mu / 2 - x / mu) with (- a) by (unfold a; ring). replace (- (mu / 2) - x / mu) with (- b) by (unfold b; ring).
  rewrite !Phi_mills. assert (E : exp x * phi b = phi a); [|rewrite <- E; ring].
  replace b with (a + mu) by (unfold a, b; field; lra). rewrite phi_shift, <- Rmult_assoc, <- exp_plus.
  replace (x + - (mu * a + mu * mu / 2)) with 0 by (unfold a; field; lra). rewrite exp_0. ring.
Qed.

Lemma normal_delta_le_1 m x : normal_delta m x <= 1.
Proof.
  unfold normal_delta. pose proof (exp_pos x). destruct (Rle_dec m 0); [apply Rmax_lub; lra|]. cbv zeta.
  pose proof (Phi_between (sqrt m / 2 - x / sqrt m)). pose proof (Phi_between (- (sqrt m / 2) - x / sqrt m)). nra.
Qed.

Lemma normal_delta_rises m n x : 0 < m -> m <= n -> normal_delta m x <= normal_delta n x.
Proof.
  intros M L. rewrite normal_delta_pos by exact M. eapply Rle_trans; [|apply (line_highest x (- (sqrt m / 2) - x / sqrt m)); lra].
  apply Rplus_le_compat_r, Phi_le. apply sqrt_le_1_alt in L. lra.
Qed.

(** Beyond 38 nothing, as in check_certificate.py. *)
Definition mills_below (z : Z) : Z :=
  if Z.leb z near then
    let e := exp_below (square z # 2 * over) in (Qnum e * half_below / Zpos (Qden e) - central_above z)%Z
  else if Z.leb z edge then far_below z else 0%Z.

Lemma mills_below_ok z : (0 <= z)%Z -> value (mills_below z) <= mills (value z).
Proof.
  intros Z0. unfold mills_below. destruct (Z.leb z near) eqn:N; [apply Z.leb_le in N | apply Z.leb_gt in N].
  - pose proof (@central_above_ok z ltac:(lia)) as C. pose proof (half_ratio (value z)) as H. destruct (square_below Z0) as [_ S].
    pose proof (exp_below_ok (square z # 2 * over)) as B. rewrite value_half in B. set (e := exp_below (square z # 2 * over)) in *.
    rewrite value_minus. assert (V : value (Qnum e * half_below / Zpos (Qden e)) <= half * exp (value z * value z / 2)); [|lra].
    destruct (@div_R (Qnum e * half_below) (Zpos (Qden e)) ltac:(easy)) as [D _]. rewrite mult_IZR in D.
    pose proof one_pos. apply Rle_trans with (Q2R e * value half_below).
    + unfold value, Q2R. apply Rmult_le_reg_r with (IZR one); [assumption|].
      replace (IZR (Qnum e) * / IZR (Zpos (Qden e)) * (IZR half_below / IZR one) * IZR one)
        with (IZR (Qnum e) * IZR half_below / IZR (Zpos (Qden e))) by (unfold Rdiv; field; split; [lra | now apply not_0_IZR]).
      unfold Rdiv at 1. rewrite Rmult_assoc, Rinv_l by lra. lra.
    + pose proof half_below_ok. assert (0 <= value half_below) by (apply value_nonneg; easy).
      assert (Q2R e <= exp (value z * value z / 2)) by (eapply Rle_trans; [exact B|]; apply exp_le; lra).
      pose proof (exp_pos (value z * value z / 2)). nra.
  - destruct (Z.leb z edge); [|left; unfold value, Rdiv; rewrite Rmult_0_l; apply mills_pos].
    apply far_below_ok. eapply Z.le_trans; [|apply Z.lt_le_incl, N]. easy.
Qed.

(** Where [a] lies between [z] and [z] + 1 units, and [y] is at most Mills' ratio at [b]. *)
Definition curve_right (z y : Z) : Q :=
  if Z.ltb z near then ((1 # 2) - times_below (density_below (z + 1)) (central_below z + y))%Q
  else let z := Z.min z edge in times_above (density_above z) (far_above z - y).
(** Where [- a] lies there. *)
Definition curve_left (z y : Z) : Q :=
  if Z.ltb z edge then (1 - times_below (density_below (z + 1)) (mills_below (z + 1) + y))%Q else 1%Q.

Lemma curve_right_ok z y a b : (0 <= z)%Z -> value z <= a <= value (z + 1) -> value y <= mills b -> a <= b ->
  phi a * (mills a - mills b) <= Q2R (curve_right z y).
Proof.
  intros Z0 [A B] Y L. pose proof (value_nonneg Z0) as X. pose proof (phi_pos a) as P. pose proof (mills_pos b) as M. unfold curve_right.
  destruct (Z.ltb z near) eqn:N.
  - replace (phi a * (mills a - mills b)) with (1 / 2 - phi a * (central a + mills b)) by (unfold central; field; lra).
    rewrite Q2R_minus, Q2R_half. apply Rplus_le_compat_l, Ropp_le_contravar.
    pose proof (central_below_ok Z0). pose proof (@central_rises (value z) a X A). pose proof (@central_nonneg a ltac:(lra)).
    apply times_below_ok; [|lra | lra | rewrite value_plus; lra].
    eapply Rle_trans; [apply density_below_ok | apply phi_falls; lra].
  - apply Z.ltb_ge in N. assert (O : (one <= Z.min z edge)%Z) by (apply Z.min_glb; [eapply Z.le_trans; [|exact N]|]; easy).
    assert (O0 : (0 <= Z.min z edge)%Z) by (eapply Z.le_trans; [|exact O]; easy).
    assert (K : value (Z.min z edge) <= a) by (eapply Rle_trans; [apply value_le, Z.le_min_l | exact A]).
    pose proof (value_nonneg O0). apply times_above_ok; [|lra | pose proof (@mills_falls a b ltac:(lra) L); lra |].
    + eapply Rle_trans; [apply phi_falls; [|exact K]; assumption | now apply density_above_ok].
    + rewrite value_minus. pose proof (mills_falls H K). pose proof (far_above_ok O). lra.
Qed.

Lemma curve_left_ok z y a b : (0 <= z)%Z -> value z <= - a <= value (z + 1) -> value y <= mills b ->
  phi a * (mills a - mills b) <= Q2R (curve_left z y).
Proof.
  intros Z0 [A B] Y. pose proof (value_nonneg Z0) as X. pose proof (phi_pos a) as P. pose proof (mills_pos b) as M. unfold curve_left.
  replace (phi a * (mills a - mills b)) with (1 - phi (- a) * (mills (- a) + mills b)).
  2: { rewrite Rmult_plus_distr_l, <- Phi_mills, phi_even, Ropp_involutive, Rmult_minus_distr_l, <- Phi_mills, Phi_opp. ring. }
  pose proof (phi_pos (- a)). pose proof (mills_pos (- a)). destruct (Z.ltb z edge); rewrite ?Q2R_minus, Q2R_1; [|nra].
  apply Rplus_le_compat_l, Ropp_le_contravar. apply times_below_ok; [|lra | lra |].
  - eapply Rle_trans; [apply density_below_ok | apply phi_falls; lra].
  - rewrite value_plus. pose proof (@mills_below_ok (z + 1) ltac:(lia)). pose proof (@mills_falls (- a) (value (z + 1)) ltac:(lra) B). lra.
Qed.

(** Of mu squared, [m]. *)
Definition normal_delta_above (m x : Q) : Q :=
  if Qle_bool 0 x then
    if Qle_bool m 0 then 0%Q
    else
      let mu := root_above m in
      if Qle_bool mu 0 then 1%Q
      else
        let a := (x / mu - mu * (1 # 2))%Q in
        let y := mills_below (floor (x / mu + mu * (1 # 2)) + 1) in
        if Qle_bool 0 a then curve_right (floor a) y else curve_left (floor (- a)) y
  else 1%Q.

Theorem normal_delta_above_ok m x : normal_delta (Q2R m) (Q2R x) <= Q2R (normal_delta_above m x).
Proof.
  unfold normal_delta_above. destruct (Qle_bool 0 x) eqn:X; [|rewrite Q2R_1; apply normal_delta_le_1].
  apply Qle_R in X. rewrite Q2R_0 in X. destruct (Qle_bool m 0) eqn:M.
  - apply Qle_R in M. rewrite Q2R_0 in *. unfold normal_delta. destruct (Rle_dec (Q2R m) 0); [|lra].
    pose proof (exp_ge_1 X). rewrite Rmax_left; lra.
  - apply Qgt_R in M. rewrite Q2R_0 in M. cbv zeta. set (mu := root_above m) in *.
    destruct (Qle_bool mu 0) eqn:U; [rewrite Q2R_1; apply normal_delta_le_1|]. apply Qgt_R in U. rewrite Q2R_0 in U.
    pose proof (root_above_ok m) as R. fold mu in R.
    eapply Rle_trans; [apply (@normal_delta_rises _ (Q2R mu * Q2R mu) (Q2R x) M)|].
    { rewrite <- (sqrt_sqrt (Q2R m)) by lra. pose proof (sqrt_pos (Q2R m)). nra. }
    rewrite normal_delta_mills by exact U. set (a := Q2R x / Q2R mu - Q2R mu / 2). set (b := Q2R x / Q2R mu + Q2R mu / 2).
    assert (0 <= Q2R x / Q2R mu) by (apply Rmult_le_pos; [exact X | left; now apply Rinv_0_lt_compat]).
    assert (Eb : Q2R (x / mu + mu * (1 # 2)) = b) by (rewrite Q2R_plus, Q2R_div, Q2R_mult, Q2R_half by (apply Qnonzero_R, U); unfold b; lra).
    assert (Ea : Q2R (x / mu - mu * (1 # 2)) = a) by (rewrite Q2R_minus, Q2R_div, Q2R_mult, Q2R_half by (apply Qnonzero_R, U); unfold a; lra).
    assert (Hb : Qle_bool 0 (x / mu + mu * (1 # 2)) = true) by (apply Qle_bool_iff, Rle_Qle; rewrite Eb, Q2R_0; unfold b; lra).
    apply floor_nonneg in Hb. destruct (floor_ok (x / mu + mu * (1 # 2))) as [_ B]. rewrite Eb in B.
    set (v := (floor (x / mu + mu * (1 # 2)) + 1)%Z) in *.
    assert (Y : value (mills_below v) <= mills b).
    { eapply Rle_trans; [apply mills_below_ok; unfold v; lia | apply mills_falls; [unfold b; lra | exact B]]. }
    destruct (Qle_bool 0 (x / mu - mu * (1 # 2))) eqn:A.
    + apply curve_right_ok; [now apply floor_nonneg | rewrite <- Ea; apply floor_ok | exact Y | unfold a, b; lra].
    + apply curve_left_ok; [apply floor_nonneg | rewrite <- Ea, <- Q2R_opp; apply floor_ok | exact Y].
      apply Qgt_R in A. apply Qle_bool_iff, Rle_Qle. rewrite Q2R_opp, Q2R_0 in *. lra.
Qed.

(** ** Whether the curve of mu lies below both lines of epsilon *)
Definition gaussian_enough (mu e : Q) : bool :=
  match exp_above e with
  | Some f => Qle_bool (upper_tail_above (mu * (1 # 2)) * (1 + f)) 1
  | None => false
  end.

Theorem gaussian_enough_ok mu e : gaussian_enough mu e = true -> Phi (- (Q2R mu / 2)) <= 1 / (1 + exp (Q2R e)).
Proof.
  unfold gaussian_enough. destruct (exp_above e) as [f|] eqn:F; [|discriminate]. intros H. apply exp_above_ok in F.
  apply Qle_R in H. rewrite Q2R_mult, Q2R_plus, Q2R_1 in H. pose proof (upper_tail_ok (mu * (1 # 2))) as [_ T].
  rewrite <- Phi_opp, Q2R_mult, Q2R_half in T. replace (Q2R mu * (1 / 2)) with (Q2R mu / 2) in T by lra.
  pose proof (exp_pos (Q2R e)). pose proof (Phi_between (- (Q2R mu / 2))).
  apply Rmult_le_reg_r with (1 + exp (Q2R e)); [lra|]. unfold Rdiv at 2. rewrite Rmult_assoc, Rinv_l by lra. nra.
Qed.
