(** * The profile of discrete Gaussian noise, from above

    [gaussian_delta_above k v x] bounds [P(Z > near) - e^x P(Z > far)], near = xv/k - k/2 and far = near + k, for noise of
    variance v, k and v counted in steps. With m the first whole number beyond near, and z = m + k, that is the weight from
    m to z, without e^x - 1 times the half-line from z, over the weight of all. It is worked out in whole multiples of
    2^-n, rounded up; where the difference loses much, n grows. *)
From Coq Require Import ZArith QArith Qround Qreals Reals Lra Lia Psatz Bool.
From DPcore Require Import Distributions Indistinguishability Integers Theta Gaussian GaussianProfile.
From DPchecker Require Import Numbers Exponentials FixedPoint HalfLines ThetaBelow NearlyAll.
Open Scope R_scope.
Set Implicit Arguments.

Definition square (m : Z) (v : Q) : Q := inject_Z (m * m) / (2 * v).

(** In units of b(o), o being m, or 0 where m is below 0. What is below 0 weighs what is as far above it. *)
Definition ahead (n k m : Z) (v : Q) : option Z :=
  let q := exp_minus true n (/ v) in
  if Z.ltb 0 m then part_above n q v m k
  else match part_above n q v 0 (m + k), part_above n q v 0 (1 - m) with Some a, Some b => Some (a + b - 2 ^ n)%Z | _, _ => None end.

(** The half-line from z in units of 2^-n b(z), and all of 2^-n, from below. All is twice the half-line from 0, but once
    b(0). Where v is large, all is not summed; where z is not far besides, the half-line from z is had from all, and loses the
    bits by which b(z) is small. *)
Definition beyond (n : Z) (v : Q) (z : Z) : Z * Z :=
  let q := exp_minus false n (/ v) in let h := half_below n q v z in
  (h, 2 * (part_below n q v 0 z + times false n (exp_minus false n (square z v)) h) - 2 ^ n)%Z.

Definition beyond_from_all (n : Z) (v : Q) (z : Z) : Z * Z :=
  let p := (n + 3 * (z * z) / (4 * Qfloor v) + 4)%Z in let all := theta_below p v in
  match part_above p (exp_minus true p (/ v)) v 0 z with
  | Some a =>
      let (f, s) := falling true p (square z v) in
      (Z.max 0 (Z.shiftr (all + 2 ^ p) 1 - a) * 2 ^ (s - p + n) / f, trim false (p - n) all)%Z
  | None => (0, 0)%Z
  end.

Definition beyond_far (n : Z) (v : Q) (z : Z) : Z * Z := (half_below n (exp_minus false n (/ v)) v z, theta_below n v).

Definition beyond_of (n : Z) (v : Q) (z : Z) : Z * Z :=
  if Z.leb 4096 (Qfloor v) then if Z.leb (z * z) (16 * Qfloor v) then beyond_from_all n v z else beyond_far n v z else beyond n v z.

(** The difference in units of 2^-n b(o), and what it is of all. *)
Definition difference (n k m : Z) (v x : Q) : option (Z * Q) :=
  match ahead n k m v with
  | Some a =>
      let z := (m + k)%Z in let o := Z.max 0 m in
      let (h, all) := beyond_of n v z in
      let weight := times false n (exp_minus false n (inject_Z (z * z - o * o) / (2 * v) - x)) (Z.max 0 (2 ^ n - exp_minus true n x)) in
      let d := Z.max 0 (a - times false n weight h) in
      let (first, s) := falling true n (square o v) in
      if Z.ltb 0 all then Some (d, first * d # Z.to_pos (2 ^ s * all))%Q else None
  | None => None
  end.

(** As long as the difference keeps fewer bits than [enough], it is computed again with as many more, up to [most]. *)
Fixpoint refined (fuel : nat) (enough most n k m : Z) (v x : Q) : option Q :=
  match difference n k m v x, fuel with
  | Some (d, q), S fuel =>
      let lack := (enough - Z.log2 d)%Z in
      if Z.leb lack 0 then Some q else if Z.leb most n then Some q else refined fuel enough most (Z.min most (n + lack + 8)) k m v x
  | Some (_, q), O => Some q
  | None, _ => None
  end.

(** From here on what is left out is looked at too. *)
Definition nearly_1 : Q := 1 - (1 # 2 ^ 30).

Definition gaussian_delta_above (k : Z) (v x : Q) : option Q :=
  if Z.ltb k 0 then None else if Z.eqb k 0 then Some 0%Q else
  if Qle_bool v 0 then None else if Qle_bool v (inject_Z (2 ^ 30)) then
    if Qle_bool 0 x then if Qle_bool x limit then
      let m := (Qfloor (x * v / inject_Z k - inject_Z k / 2) + 1)%Z in let l := size v in
      match refined 3 (106 + l + l / 2) (208 + l) (118 + l) k m v x with
      | Some q => if Qle_bool nearly_1 q && Z.leb m 0 then Some (Qmin q (Qmax0 (1 - left_out (118 + l) k m v x))) else Some q
      | None => None
      end
    else None else None
  else None.

(** ** Proof *)
Section Difference.
Variables (v x : Q) (k m n : Z).
Hypothesis v_pos : 0 < Q2R v.
Hypothesis x_nonneg : 0 <= Q2R x.
Hypothesis k_pos : (0 < k)%Z.
Hypothesis n_nonneg : (0 <= n)%Z.
Hypothesis z_nonneg : (0 <= m + k)%Z.
Notation c := (/ (2 * Q2R v)).
Notation b := (bell c 0).
Notation half := (half_line c).
Notation e := (exp (Q2R x)).
Notation o := (Z.max 0 m).

Lemma over_two_v z : Q2R (inject_Z z / (2 * v)) = c * IZR z.
Proof.
  assert (E : Q2R (2 * v) = 2 * Q2R v) by (rewrite Q2R_mult; unfold Q2R at 1; simpl; lra).
  assert (nz : ~ (2 * v == 0)%Q) by (apply Qnonzero_R; rewrite E; lra). rewrite Q2R_div, Q2R_Z, E by exact nz. field. lra.
Qed.

Lemma bell_square z : b z = exp (- Q2R (square z v)).
Proof. unfold square, bell. rewrite over_two_v, mult_IZR. f_equal. unfold Rsqr. ring. Qed.

Lemma ahead_ok a : ahead n k m v = Some a -> half m - half (m + k) <= b o * units n a.
Proof.
  unfold ahead. pose proof (safe_ratio_exp true n_nonneg v_pos) as R. destruct (Z.ltb_spec 0 m) as [M|M].
  - rewrite Z.max_r by lia. apply part_above_ok; auto. lia.
  - rewrite Z.max_l, bell_0, Rmult_1_l by exact M. pose proof (c_positive v_pos) as Hc.
    destruct (part_above n _ v 0 (m + k)) as [f|] eqn:F; [|discriminate]. destruct (part_above n _ v 0 (1 - m)) as [g|] eqn:G; [|discriminate].
    intros H; injection H as <-. apply part_above_ok in F, G; auto; try lia. rewrite bell_0, Rmult_1_l in F, G. rewrite !Z.add_0_l in *.
    unfold Z.sub. rewrite !units_plus. replace (units n (- 2 ^ n)) with (- units n (2 ^ n)) by (unfold units; rewrite opp_IZR; unfold Rdiv; ring).
    rewrite (units_one n_nonneg). pose proof (half_lines m Hc). pose proof (theta_half_line Hc). lra.
Qed.

(** A product of bounds from below. *)
Lemma product_below f g y w : (0 <= f)%Z /\ units n f <= y -> (0 <= g)%Z /\ units n g <= w ->
  (0 <= times false n f g)%Z /\ units n (times false n f g) <= y * w.
Proof.
  intros (F & Y) (G & W). pose proof (units_nonneg n_nonneg F). pose proof (units_nonneg n_nonneg G).
  apply (@times_ok false n n); auto; lra.
Qed.

Definition beyond_safe (p : Z * Z) : Prop :=
  ((0 <= fst p)%Z /\ units n (fst p) <= half (m + k) / b (m + k)) /\ units n (snd p) <= theta c 0.

Lemma over_bell z h : units n h * b z <= half z -> units n h <= half z / b z.
Proof.
  intros H. pose proof (bell_pos c 0 z) as B. apply Rmult_le_reg_r with (b z); [exact B|].
  unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra. exact H.
Qed.

Lemma half_below_safe : let h := half_below n (exp_minus false n (/ v)) v (m + k) in (0 <= h)%Z /\ units n h <= half (m + k) / b (m + k).
Proof.
  destruct (half_below_ok v_pos n_nonneg z_nonneg (safe_ratio_exp false n_nonneg v_pos)) as [H0 H].
  split; [exact H0|]. apply over_bell. now rewrite Rmult_comm.
Qed.

Lemma beyond_safe_far : beyond_safe (beyond_far n v (m + k)).
Proof. split; [exact half_below_safe | exact (theta_below_ok n_nonneg v_pos)]. Qed.

Lemma beyond_safe_sums : beyond_safe (beyond n v (m + k)).
Proof.
  pose proof half_below_safe as H. set (z := (m + k)%Z) in *. pose proof (theta_half_line (c_positive v_pos)) as T. pose proof (bell_pos c 0 z) as Bz.
  pose proof (safe_ratio_exp false n_nonneg v_pos) as R.
  unfold beyond_safe, beyond; cbn [fst snd]. fold z. cbv zeta in H. set (h := half_below n _ v z) in *.
  split; [exact H|]. destruct (part_below_ok v_pos n_nonneg (Z.le_refl 0) R z_nonneg) as [_ P].
  rewrite bell_0, Rmult_1_l, Z.add_0_l in P. fold z in P.
  destruct (product_below (exp_minus_below (square z v) n_nonneg) H) as [_ Q]. rewrite <- bell_square in Q.
  replace (b z * (half z / b z)) with (half z) in Q by (field; lra).
  rewrite T, <- (units_one n_nonneg). unfold units in *. rewrite minus_IZR, mult_IZR, plus_IZR. unfold Rdiv in *. lra.
Qed.

Lemma beyond_safe_all : 0 < IZR (Qfloor v) -> beyond_safe (beyond_from_all n v (m + k)).
Proof.
  intros V. set (z := (m + k)%Z) in *. unfold beyond_from_all. fold z. set (p := (n + 3 * (z * z) / (4 * Qfloor v) + 4)%Z).
  pose proof (c_positive v_pos) as Hc. pose proof (theta_half_line Hc) as T. pose proof (theta_pos 0 Hc) as T0. pose proof (bell_pos c 0 z) as Bz.
  assert (Hp : (n <= p)%Z) by (unfold p; apply lt_IZR in V; pose proof (Z.div_pos (3 * (z * z)) (4 * Qfloor v) ltac:(nia) ltac:(lia)); lia).
  assert (p0 : (0 <= p)%Z) by lia. clearbody p. pose proof (half_line_nonneg z Hc) as Hz.
  pose proof (theta_below_ok p0 v_pos) as A. set (all := theta_below p v) in *.
  assert (Zero : beyond_safe (0, 0)%Z).
  { unfold beyond_safe; cbn [fst snd]. replace (units n 0) with 0 by (unfold units, Rdiv; ring). repeat split; [lia | | lra].
    apply Rmult_le_pos; [exact Hz | left; now apply Rinv_0_lt_compat]. }
  destruct (part_above p _ v 0 z) as [a|] eqn:P; [|exact Zero].
  apply part_above_ok in P; auto using safe_ratio_exp; [|lia]. rewrite bell_0, Rmult_1_l, Z.add_0_l in P.
  assert (F : safely true p (b z) (falling true p (square z v))).
  { rewrite bell_square. apply falling_ok; [exact p0|]. intros _. unfold square. rewrite over_two_v. apply Rmult_le_pos; [lra | apply IZR_le; nia]. }
  destruct (falling true p (square z v)) as [f s]. destruct F as (S & F0 & F). unfold value in F; cbn [fst snd safe] in *.
  assert (f0 : (0 < f)%Z).
  { destruct (Z.eq_dec f 0) as [->|]; [exfalso; unfold units, Rdiv in F; rewrite Rmult_0_l in F; lra | lia]. }
  set (h := Z.max 0 (Z.shiftr (all + 2 ^ p) 1 - a)). assert (H : units p h <= half z).
  { unfold h. destruct (Z.max_spec 0 (Z.shiftr (all + 2 ^ p) 1 - a)) as [[_ ->]|[_ ->]]; [|unfold units, Rdiv; rewrite Rmult_0_l; exact Hz].
    assert (M : units p (2 * Z.shiftr (all + 2 ^ p) 1) <= units p all + 1).
    { rewrite <- (units_one p0), <- units_plus. apply units_mono; [exact p0|]. rewrite Z.shiftr_div_pow2 by lia. apply Z.mul_div_le. reflexivity. }
    unfold units in *. rewrite minus_IZR. rewrite mult_IZR in M. unfold Rdiv in *. lra. }
  unfold beyond_safe; cbn [fst snd]. fold z. split; [split|].
  - apply Z.div_pos; [apply Z.mul_nonneg_nonneg; [lia | apply Z.pow_nonneg; lia] | exact f0].
  - apply over_bell. eapply Rle_trans; [|exact H]. eapply Rle_trans; [apply Rmult_le_compat_l; [|exact F]|].
    + apply units_nonneg; [exact n_nonneg|]. apply Z.div_pos; [apply Z.mul_nonneg_nonneg; [lia | apply Z.pow_nonneg; lia] | exact f0].
    + rewrite units_mult, <- (@units_shift p (s - p + n)) by lia. replace (p + (s - p + n))%Z with (n + s)%Z by ring.
      apply units_mono; [lia|]. rewrite Z.mul_comm. now apply Z.mul_div_le.
  - destruct (@trim_ok false p (p - n) all (theta c 0)) as [_ M]; [lia | apply theta_below_nonneg | exact A|].
    replace (p - (p - n))%Z with n in M by ring. exact M.
Qed.

Lemma beyond_of_safe : beyond_safe (beyond_of n v (m + k)).
Proof.
  unfold beyond_of. destruct (Z.leb_spec 4096 (Qfloor v)) as [V|]; [|apply beyond_safe_sums].
  destruct (Z.leb _ _); [apply beyond_safe_all, IZR_lt; lia | apply beyond_safe_far].
Qed.

Lemma units_ratio f s y a : (0 < a)%Z -> (0 <= s)%Z -> units s f * units n y / units n a = Q2R (f * y # Z.to_pos (2 ^ s * a)).
Proof.
  intros A S. pose proof (U_pos S). pose proof (U_pos n_nonneg). pose proof (Z.pow_pos_nonneg 2 s ltac:(lia) S). unfold units, Q2R; cbn [Qnum Qden].
  rewrite Z2Pos.id, !mult_IZR by nia. field. apply IZR_lt in A. lra.
Qed.

Lemma difference_ok d q : difference n k m v x = Some (d, q) -> (half m - e * half (m + k)) / theta c 0 <= Q2R q /\ 0 <= Q2R q.
Proof.
  unfold difference. destruct (ahead n k m v) as [a|] eqn:A; [|discriminate]. apply ahead_ok in A. pose proof beyond_of_safe as S.
  destruct (beyond_of n v (m + k)) as [h all]. destruct S as [Half All]. cbn [fst snd] in Half, All. set (z := (m + k)%Z) in *.
  pose proof (c_positive v_pos) as Hc. pose proof (bell_pos c 0 o) as Bo. pose proof (bell_pos c 0 z) as Bz.
  (* what is lost *)
  pose proof (exp_minus_below (inject_Z (z * z - o * o) / (2 * v) - x) n_nonneg) as G. rewrite Q2R_minus, over_two_v in G.
  replace (exp (- (c * IZR (z * z - o * o) - Q2R x))) with (e * (b z / b o)) in G.
  2: { unfold bell, Rdiv. rewrite <- exp_Ropp, <- !exp_plus. f_equal. rewrite minus_IZR, !mult_IZR. unfold Rsqr. ring. }
  assert (X : (0 <= Z.max 0 (2 ^ n - exp_minus true n x))%Z /\ units n (Z.max 0 (2 ^ n - exp_minus true n x)) <= 1 - exp (- Q2R x)).
  { split; [lia|]. destruct (exp_minus_above n_nonneg x_nonneg) as [_ E]. destruct (Z.max_spec 0 (2 ^ n - exp_minus true n x)) as [[_ ->]|[_ ->]].
    - rewrite <- (units_one n_nonneg). unfold units in *. rewrite minus_IZR. unfold Rdiv in *. lra.
    - assert (exp (- Q2R x) <= 1) by (rewrite <- exp_0; apply exp_le; lra). unfold units, Rdiv. rewrite Rmult_0_l. lra. }
  destruct (product_below (product_below G X) Half) as [L0 L]. set (lost := times false n (times false n _ _) h) in *.
  replace (e * (b z / b o) * (1 - exp (- Q2R x)) * (half z / b z)) with ((e - 1) * half z / b o) in L.
  2: { rewrite exp_Ropp. pose proof (exp_pos (Q2R x)). field. lra. }
  assert (D : half m - e * half z <= b o * units n (a - lost)).
  { apply Rmult_le_compat_l with (r := b o) in L; [|lra]. replace (b o * ((e - 1) * half z / b o)) with ((e - 1) * half z) in L by (field; lra).
    replace (units n (a - lost)) with (units n a - units n lost) by (unfold units; rewrite minus_IZR; unfold Rdiv; ring).
    lra. }
  (* over all *)
  assert (F : safely true n (b o) (falling true n (square o v))).
  { rewrite bell_square. apply falling_ok; [exact n_nonneg|]. intros _. unfold square. rewrite over_two_v.
    apply Rmult_le_pos; [lra | apply IZR_le; nia]. }
  destruct (falling true n (square o v)) as [first s]. destruct F as (S & F0 & F). unfold value in F; cbn [fst snd safe] in *.
  destruct (Z.ltb_spec 0 all) as [W|]; [|discriminate]. intros K; injection K as _ <-. rewrite <- units_ratio by lia.
  assert (W0 : 0 < units n all) by (apply Rdiv_lt_0_compat; [now apply IZR_lt | now apply U_pos]).
  set (d' := Z.max 0 (a - lost)). assert (D0 : 0 <= units n d') by (apply units_nonneg; lia).
  assert (N : 0 <= units s first * units n d') by (apply Rmult_le_pos; [apply units_nonneg; lia | exact D0]).
  split; [|apply Rmult_le_pos; [exact N | left; now apply Rinv_0_lt_compat]].
  apply Rle_trans with (units s first * units n d' / theta c 0).
  - apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|]. eapply Rle_trans; [exact D|].
    apply Rle_trans with (b o * units n d'); [apply Rmult_le_compat_l; [lra | apply units_mono; lia] | apply Rmult_le_compat_r; assumption].
  - apply Rmult_le_compat_l; [exact N | apply Rinv_le_contravar; lra].
Qed.
End Difference.

Lemma refined_ok fuel enough most k m v x q : forall n, 0 < Q2R v -> 0 <= Q2R x -> (0 < k)%Z -> (0 <= m + k)%Z -> (0 <= n)%Z -> (0 <= most)%Z ->
  refined fuel enough most n k m v x = Some q -> let c := / (2 * Q2R v) in
  (half_line c m - exp (Q2R x) * half_line c (m + k)) / theta c 0 <= Q2R q /\ 0 <= Q2R q.
Proof.
  induction fuel as [|fuel IH]; intros n V X K F N Most; cbn [refined];
    destruct (difference n k m v x) as [[d r]|] eqn:D; try discriminate; apply difference_ok in D; auto; [intros H; injection H as <-; exact D|].
  destruct (Z.leb_spec (enough - Z.log2 d) 0); [intros H'; injection H' as <-; exact D|].
  destruct (Z.leb_spec most n); [intros H'; injection H' as <-; exact D|]. apply IH; auto. lia.
Qed.

Theorem gaussian_delta_above_ok k v x q (w : R) (positive : 0 < w) : gaussian_delta_above k v x = Some q -> w = Q2R v ->
  gaussian_delta positive (IZR k) (Q2R x) <= Q2R q.
Proof.
  unfold gaussian_delta_above, gaussian_delta. intros H E. destruct (Z.ltb_spec k 0) as [|K0]; [discriminate|].
  destruct (Z.eqb_spec k 0) as [->|K1].
  { injection H as <-. destruct (Req_EM_T 0 0) as [_|N]; [rewrite Q2R_0; lra | now elim N]. }
  assert (k0 : (0 < k)%Z) by lia. apply IZR_lt in k0 as kR. destruct (Req_EM_T (IZR k) 0) as [Z|_]; [lra|].
  destruct (Qle_bool v 0) eqn:V; [discriminate|]. apply Qgt_R in V. rewrite Q2R_0 in V. destruct (Qle_bool v (inject_Z (2 ^ 30))); [|discriminate].
  destruct (Qle_bool 0 x) eqn:X; [|discriminate]. apply Qle_R in X. rewrite Q2R_0 in X. destruct (Qle_bool x limit); [|discriminate].
  set (y := (x * v / inject_Z k - inject_Z k / 2)%Q) in *. set (m := (Qfloor y + 1)%Z) in *.
  assert (Y : Q2R y = near w (Q2R x) (IZR k)).
  { unfold y, near. assert (nz : ~ (inject_Z k == 0)%Q) by (apply Qnonzero_R; now rewrite Q2R_Z).
    rewrite Q2R_minus, !Q2R_div, Q2R_mult, Q2R_Z, E by (exact nz || discriminate). f_equal. f_equal. unfold Q2R; simpl; lra. }
  assert (F : far w (Q2R x) (IZR k) = near w (Q2R x) (IZR k) + IZR k) by (unfold far, near; field; lra).
  pose proof (floor_R y) as [Y1 Y2]. rewrite Y in Y1, Y2. assert (M : IZR m = IZR (Qfloor y) + 1) by (unfold m; now rewrite plus_IZR).
  assert (mk : (0 <= m + k)%Z).
  { apply Z.lt_succ_r, lt_IZR. rewrite succ_IZR, plus_IZR. assert (0 < far w (Q2R x) (IZR k)); [|lra]. unfold far.
    assert (0 <= Q2R x * w / IZR k) by (apply Rmult_le_pos; [nra | left; now apply Rinv_0_lt_compat]). lra. }
  rewrite (@above_half_line w positive _ m), (@above_half_line w positive _ (m + k)) by (rewrite ?plus_IZR; lra). rewrite E in *.
  pose proof (Z.log2_nonneg (Qfloor v)) as L. fold (size v) in L. cbv zeta in H.
  destruct (refined _ _ _ _ k m v x) as [r|] eqn:D; [|discriminate]. apply refined_ok in D; try (assumption || lia). cbv zeta in D.
  replace (half_line _ m / _ - _) with ((half_line (/ (2 * Q2R v)) m - exp (Q2R x) * half_line (/ (2 * Q2R v)) (m + k)) / theta (/ (2 * Q2R v)) 0)
    by (unfold Rdiv; ring).
  destruct (Qle_bool nearly_1 r && Z.leb m 0)%bool eqn:B; injection H as <-; [|apply Rmax_lub; apply D].
  apply andb_prop in B. destruct B as [_ B]. apply Z.leb_le in B. unfold Qmax0. rewrite Q2R_min, Q2R_max, Q2R_minus, Q2R_0, Q2R_1.
  assert (n0 : (0 <= 118 + size v)%Z) by lia. pose proof (@left_out_ok _ v n0 V k m x B mk) as R.
  apply Rmin_glb; (apply Rmax_lub; [|]); try apply D; [apply Rmax_l|]. eapply Rle_trans; [exact R | apply Rmax_r].
Qed.
