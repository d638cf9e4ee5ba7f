(** * Rational bounds of the tail of the normal distribution

    Up to [near], by the series of what lies between 0 and x; beyond, by Mills' continued fraction. Both are of positive terms,
    in whole multiples of 2^-160, each step rounded to the safe side: the tail is off by one part in 2^127 at most, where both meet. *)
From Coq Require Import ZArith QArith Qround Qreals Reals Lra Lia Psatz Bool.
From DPcore Require Import Indistinguishability Normal Mills.
From DPchecker Require Import Numbers Exponentials.
Open Scope R_scope.
Set Implicit Arguments.

Definition places : Z := 160.
Definition one : Z := Eval vm_compute in (2 ^ places)%Z.
Definition over : positive := Eval vm_compute in Z.to_pos one.
Definition near : Z := Eval vm_compute in (5 * one)%Z.

(** What a whole number of units stands for. *)
Definition value (z : Z) : R := IZR z / IZR one.

Lemma value_Q z : Q2R (z # over) = value z. Proof. reflexivity. Qed.
Lemma one_pos : 0 < IZR one. Proof. apply IZR_lt. reflexivity. Qed.
Lemma value_le a b : (a <= b)%Z -> value a <= value b.
Proof. pose proof one_pos. intros L. apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat | now apply IZR_le]. Qed.
Lemma value_nonneg a : (0 <= a)%Z -> 0 <= value a.
Proof. intros H. apply value_le in H. unfold value in H at 1. unfold Rdiv in H. rewrite Rmult_0_l in H. exact H. Qed.
Lemma value_plus a b : value (a + b) = value a + value b.
Proof. pose proof one_pos. unfold value. rewrite plus_IZR. field. lra. Qed.
Lemma value_minus a b : value (a - b) = value a - value b.
Proof. pose proof one_pos. unfold value. rewrite minus_IZR. field. lra. Qed.

(** A product, divided and rounded. *)
Lemma over_below a b d : (0 <= a)%Z -> (0 <= b)%Z -> (0 < d)%Z ->
  (0 <= down places (a * b) / d)%Z /\ value (down places (a * b) / d) <= value a * value b / IZR d.
Proof.
  intros A B D. unfold down. rewrite Z.shiftr_div_pow2, Z.div_div by easy. change (2 ^ places)%Z with one.
  split; [apply Z.div_pos; [nia | now apply Z.mul_pos_pos]|]. pose proof one_pos. apply IZR_lt in D as D'.
  destruct (@div_R (a * b) (one * d) ltac:(now apply Z.mul_pos_pos)) as [H1 _]. rewrite !mult_IZR in H1.
  unfold value. apply Rmult_le_reg_r with (IZR one); [assumption|].
  replace (IZR a / IZR one * (IZR b / IZR one) / IZR d * IZR one) with (IZR a * IZR b / (IZR one * IZR d)) by (field; lra).
  replace (IZR (a * b / (one * d)) / IZR one * IZR one) with (IZR (a * b / (one * d))) by (field; lra). exact H1.
Qed.
Lemma over_above a b d : (0 < d)%Z -> value a * value b / IZR d <= value (down places (a * b) / d + 1).
Proof.
  intros D. unfold down. rewrite Z.shiftr_div_pow2, Z.div_div by easy. change (2 ^ places)%Z with one. pose proof one_pos. apply IZR_lt in D as D'.
  destruct (@div_R (a * b) (one * d) ltac:(now apply Z.mul_pos_pos)) as [_ H2]. rewrite !mult_IZR in H2.
  unfold value. rewrite plus_IZR. apply Rmult_le_reg_r with (IZR one); [assumption|].
  replace (IZR a / IZR one * (IZR b / IZR one) / IZR d * IZR one) with (IZR a * IZR b / (IZR one * IZR d)) by (field; lra).
  replace ((IZR (a * b / (one * d)) + 1) / IZR one * IZR one) with (IZR (a * b / (one * d)) + 1) by (field; lra). lra.
Qed.

(** ** The series *)
Section Series.
Open Scope Z_scope.
Fixpoint sum_below (k : nat) (square t d s : Z) : Z :=
  match k with
  | O => s
  | S k => let t := down places (t * square) / d in sum_below k square t (d + 2) (s + t)
  end.
Fixpoint sum_above (k : nat) (square t d s : Z) : Z :=
  let t := down places (t * square) / d + 1 in
  match k with O => s + 2 * t | S k => sum_above k square t (d + 2) (s + t) end.

Definition terms : nat := 100.
Definition square (z : Z) : Z := down places (z * z).
Definition central_below (z : Z) : Z := sum_below terms (square z) z 3 z.
Definition central_above (z : Z) : Z := sum_above terms (square z + 1) z 3 z.
End Series.

Lemma square_below z : (0 <= z)%Z -> (0 <= square z)%Z /\ value (square z) <= value z * value z.
Proof. intros H. pose proof (@over_below z z 1 H H ltac:(easy)) as [A B]. rewrite Z.div_1_r in *. split; [exact A | unfold square; lra]. Qed.
Lemma square_above z : value z * value z <= value (square z + 1).
Proof. pose proof (@over_above z z 1 ltac:(easy)) as B. rewrite Z.div_1_r in B. unfold square. lra. Qed.

Lemma odd_term_next i x : odd_term (S i) x = odd_term i x * (x * x) / IZR (Z.of_nat (2 * i + 3)).
Proof. rewrite <- INR_IZR_INZ. now replace (2 * i + 3)%nat with (2 * S i + 1)%nat by lia. Qed.

Lemma sum_below_ok x w : 0 <= x -> (0 <= w)%Z -> value w <= x * x -> forall k i t s, (0 <= t)%Z -> value t <= odd_term i x ->
  value s <= odd_sum i x -> value (sum_below k w t (Z.of_nat (2 * i + 3)) s) <= odd_sum (i + k) x.
Proof.
  intros X W Hw. induction k as [|k IH]; intros i t s T Ht Hs; [now rewrite Nat.add_0_r|].
  cbn [sum_below]. replace (i + S k)%nat with (S i + k)%nat by lia.
  replace (Z.of_nat (2 * i + 3) + 2)%Z with (Z.of_nat (2 * S i + 3)) by lia.
  destruct (@over_below t w (Z.of_nat (2 * i + 3)) T W ltac:(lia)) as [P B].
  assert (E : value (down places (t * w) / Z.of_nat (2 * i + 3)) <= odd_term (S i) x).
  { eapply Rle_trans; [exact B|]. rewrite odd_term_next. apply Rmult_le_compat_r.
    - left. apply Rinv_0_lt_compat, IZR_lt. lia.
    - pose proof (value_nonneg T). pose proof (value_nonneg W). apply Rmult_le_compat; lra. }
  apply IH; [exact P | exact E |]. rewrite value_plus. cbn [odd_sum]. lra.
Qed.

Lemma sum_above_ok x w : 0 <= x -> (0 <= w)%Z -> x * x <= value w -> forall k i t s,
  odd_term i x <= value t -> odd_sum i x <= value s ->
  odd_sum (i + k) x + 2 * odd_term (S (i + k)) x <= value (sum_above k w t (Z.of_nat (2 * i + 3)) s).
Proof.
  intros X W Hw.
  assert (step : forall i t, odd_term i x <= value t -> odd_term (S i) x <= value (down places (t * w) / Z.of_nat (2 * i + 3) + 1)).
  { intros i t Ht. eapply Rle_trans; [|apply over_above; lia]. rewrite odd_term_next. apply Rmult_le_compat_r.
    - left. apply Rinv_0_lt_compat, IZR_lt. lia.
    - pose proof (odd_term_nonneg i X). apply Rmult_le_compat; nra. }
  induction k as [|k IH]; intros i t s Ht Hs; cbn [sum_above]; specialize (step i t Ht).
  - rewrite Nat.add_0_r, value_plus, <- Z.add_diag, value_plus. lra.
  - replace (i + S k)%nat with (S i + k)%nat by lia. replace (Z.of_nat (2 * i + 3) + 2)%Z with (Z.of_nat (2 * S i + 3)) by lia.
    apply IH; [exact step|]. rewrite value_plus. cbn [odd_sum]. lra.
Qed.

Lemma central_below_ok z : (0 <= z)%Z -> value (central_below z) <= central (value z).
Proof.
  intros Z0. pose proof (value_nonneg Z0) as X. destruct (square_below Z0) as [W H].
  eapply Rle_trans; [|apply (odd_sum_below terms), X].
  apply (@sum_below_ok (value z) (square z) X W H terms 0 z z Z0); simpl; lra.
Qed.

Lemma value_near : value near = 5.
Proof. change near with (5 * one)%Z. pose proof one_pos. unfold value. rewrite mult_IZR. field. lra. Qed.

Lemma central_above_ok z : (0 <= z <= near)%Z -> central (value z) <= value (central_above z).
Proof.
  intros [Z0 N]. pose proof (value_nonneg Z0) as X. pose proof (square_above z) as H. destruct (square_below Z0) as [W _].
  apply value_le in N. rewrite value_near in N.
  eapply Rle_trans; [apply (@odd_sum_above terms); [exact X|]|].
  - replace (INR (2 * terms + 3)) with 203 by (unfold terms; simpl; lra). nra.
  - apply (@sum_above_ok (value z) (square z + 1) X ltac:(lia) H terms 0 z z); simpl; lra.
Qed.

(** ** The fraction, from inside out

    The innermost is at least 0; each step out turns a bound from below into one from above. A step divides what is not known
    by [e^(x/sqrt k)] or so: the bits that are needed fall from 160 to 24 with the root of [k], and [2200/x^2 + 30] steps do. *)
Section Fraction.
Open Scope Z_scope.
(** 18496 is (160 - 24)^2. *)
Definition level (last k : Z) : Z := Z.max 0 (places - Z.sqrt (18496 * k / (last + 1))).

Fixpoint fractions (last z : Z) (lower : bool) (k : nat) (m a : Z) : Z :=
  match k with
  | O => a
  | S k' =>
    let m' := level last (Z.of_nat k') in
    let x := down (places - m) z in
    fractions last z (negb lower) k' m'
      (if lower then 2 ^ (m + m') / (x + Z.of_nat k * a) + 1 else 2 ^ (m + m') / (x + 1 + Z.of_nat k * a))
  end.

(** Half of the steps; here x is in eighths. *)
Definition depth (z : Z) : nat := let x := down (places - 3) z in Z.to_nat (70000 / (x * x) + 15).
Definition fraction_from (k : nat) (z : Z) : Z := fractions (Z.of_nat k) z true k (level (Z.of_nat k) (Z.of_nat k)) 0.
Definition far_below (z : Z) : Z := fraction_from (2 * depth z) z.
Definition far_above (z : Z) : Z := fraction_from (S (2 * depth z)) z.
End Fraction.

Lemma level_ok last k : (0 <= level last k <= places)%Z.
Proof. unfold level. pose proof (Z.sqrt_nonneg (18496 * k / (last + 1))). change places with 160%Z. lia. Qed.
Lemma level_0 last : level last 0 = places.
Proof. unfold level. now rewrite Z.mul_0_r, Zdiv_0_l. Qed.

(** That [a] in units of 2^-m is below, or above. *)
Definition bounds (lower : bool) (a m : Z) (y : R) : Prop := if lower then IZR a / IZR (2 ^ m) <= y else y <= IZR a / IZR (2 ^ m).

Lemma fractions_ok last z : (one <= z)%Z -> forall k lower m a, (0 <= m <= places)%Z -> (k = O -> m = places) -> (0 <= a)%Z ->
  bounds lower a m (fraction k (value z)) ->
  bounds (if Nat.even k then lower else negb lower) (fractions last z lower k m a) places (mills (value z)).
Proof.
  intros Hz. assert (X : 0 <= value z) by (apply value_nonneg; unfold one in Hz; lia).
  induction k as [|k IH]; intros lower m a M E A B; [now rewrite <- (E eq_refl)|].
  cbn [fractions]. destruct (level_ok last (Z.of_nat k)) as [L1 L2]. set (m' := level last (Z.of_nat k)) in *.
  rewrite Nat.even_succ, <- Nat.negb_even. replace (if negb (Nat.even k) then lower else negb lower)
    with (if Nat.even k then negb lower else negb (negb lower)) by (now destruct (Nat.even k), lower).
  pose proof (@U_pos m ltac:(lia)) as HU. pose proof (@U_pos m' L1) as HU'. pose proof (@U_pos (places - m) ltac:(lia)) as HD.
  pose proof one_pos as H1.
  set (x := down (places - m) z).
  assert (X0 : (0 < x)%Z).
  { unfold x, down. rewrite Z.shiftr_div_pow2 by lia. apply Z.div_str_pos. split; [apply Z.pow_pos_nonneg; lia|].
    eapply Z.le_trans; [|exact Hz]. change one with (2 ^ places)%Z. apply Z.pow_le_mono_r; lia. }
  assert (Ex : IZR z / IZR (2 ^ (places - m)) = value z * IZR (2 ^ m)).
  { unfold value. replace (IZR one) with (IZR (2 ^ (places - m)) * IZR (2 ^ m)); [field; lra|].
    rewrite <- mult_IZR, <- Z.pow_add_r, Z.sub_add by lia. reflexivity. }
  destruct (@down_R (places - m) z ltac:(lia)) as [D1 D2]. fold x in D1, D2. rewrite Ex in D1, D2.
  pose proof (@fraction_next k _ X) as F. pose proof (@fraction_pos k _ X) as P. pose proof (@fraction_pos (S k) _ X) as P'.
  set (y := fraction k (value z)) in *. set (y' := fraction (S k) (value z)) in *.
  rewrite INR_IZR_INZ in F. set (n := Z.of_nat (S k)) in *. assert (N : 0 < IZR n) by (apply IZR_lt; lia).
  assert (P2 : IZR (2 ^ (m + m')) = IZR (2 ^ m) * IZR (2 ^ m')) by (rewrite <- mult_IZR, Z.pow_add_r; [reflexivity | lia | exact L1]).
  pose proof (Z.pow_pos_nonneg 2 (m + m') ltac:(lia) ltac:(lia)) as P3.
  assert (K0 : k = O -> m' = places) by (intros ->; apply level_0).
  apply IH; [lia | exact K0 | |]; destruct lower; cbn [negb bounds] in *.
  - apply Z.le_le_succ_r, Z.div_pos; nia.
  - apply Z.div_pos; nia.
  - set (q := (x + n * a)%Z). assert (Q0 : (0 < q)%Z) by (unfold q; nia). apply IZR_lt in Q0 as Q1.
    destruct (@div_R (2 ^ (m + m')) q Q0) as [_ V]. rewrite P2 in V.
    assert (Q2 : IZR q * y <= IZR (2 ^ m)).
    { unfold q. rewrite plus_IZR, mult_IZR. apply Rmult_le_compat_r with (r := IZR (2 ^ m)) in B; [|lra].
      unfold Rdiv in B. rewrite Rmult_assoc, Rinv_l, Rmult_1_r in B by lra.
      assert (IZR n * IZR a <= IZR n * (y' * IZR (2 ^ m))) by (apply Rmult_le_compat_l; lra).
      replace (IZR (2 ^ m)) with (y * (value z + IZR n * y') * IZR (2 ^ m)) by (rewrite F; ring).
      apply Rle_trans with ((value z * IZR (2 ^ m) + IZR n * (y' * IZR (2 ^ m))) * y); [apply Rmult_le_compat_r; lra | right; ring]. }
    rewrite plus_IZR. apply Rmult_le_reg_r with (IZR (2 ^ m')); [exact HU'|]. unfold Rdiv at 1. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
    apply Rmult_le_reg_r with (IZR q); [exact Q1|]. apply Rmult_lt_compat_r with (r := IZR q) in V; [|exact Q1].
    unfold Rdiv in V. rewrite Rmult_assoc, Rinv_l, Rmult_1_r in V by lra. nra.
  - set (q := (x + 1 + n * a)%Z). assert (Q0 : (0 < q)%Z) by (unfold q; nia). apply IZR_lt in Q0 as Q1.
    destruct (@div_R (2 ^ (m + m')) q Q0) as [V _]. rewrite P2 in V.
    assert (Q2 : IZR (2 ^ m) <= IZR q * y).
    { unfold q. rewrite !plus_IZR, mult_IZR. apply Rmult_le_compat_r with (r := IZR (2 ^ m)) in B; [|lra].
      unfold Rdiv in B. rewrite Rmult_assoc, Rinv_l, Rmult_1_r in B by lra.
      assert (IZR n * (y' * IZR (2 ^ m)) <= IZR n * IZR a) by (apply Rmult_le_compat_l; lra).
      replace (IZR (2 ^ m)) with (y * (value z + IZR n * y') * IZR (2 ^ m)) by (rewrite F; ring).
      apply Rle_trans with ((value z * IZR (2 ^ m) + IZR n * (y' * IZR (2 ^ m))) * y); [right; ring | apply Rmult_le_compat_r; lra]. }
    apply Rmult_le_reg_r with (IZR (2 ^ m')); [exact HU'|]. unfold Rdiv at 1. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
    apply Rmult_le_reg_r with (IZR q); [exact Q1|]. apply Rmult_le_compat_r with (r := IZR q) in V; [|lra].
    unfold Rdiv in V. rewrite Rmult_assoc, Rinv_l, Rmult_1_r in V by lra. nra.
Qed.

Lemma depth_even k : Nat.even (2 * k) = true.
Proof. rewrite Nat.even_mul. reflexivity. Qed.

Lemma fraction_from_ok k z : (one <= z)%Z -> bounds (Nat.even k) (fraction_from k z) places (mills (value z)).
Proof.
  intros Hz. replace (Nat.even k) with (if Nat.even k then true else negb true) by (now destruct (Nat.even k)).
  apply fractions_ok; [exact Hz | apply level_ok | intros ->; apply level_0 | lia |]. unfold bounds, Rdiv. rewrite Rmult_0_l.
  left. apply fraction_pos, value_nonneg. unfold one in Hz. lia.
Qed.
Lemma far_below_ok z : (one <= z)%Z -> value (far_below z) <= mills (value z).
Proof. intros Hz. pose proof (fraction_from_ok (2 * depth z) Hz) as H. now rewrite depth_even in H. Qed.
Lemma far_above_ok z : (one <= z)%Z -> mills (value z) <= value (far_above z).
Proof.
  intros Hz. pose proof (fraction_from_ok (S (2 * depth z)) Hz) as H. now rewrite Nat.even_succ, <- Nat.negb_even, depth_even in H.
Qed.

(** ** The half of the area: where series and fraction meet. [peak] is the density at 0. *)
Definition half_above : Z := Eval vm_compute in
  (let e := exp_below (25 # 2) in (central_above near + far_above near) * Zpos (Qden e) / Qnum e + 1)%Z.
Definition half_below : Z := Eval vm_compute in
  match exp_above (25 # 2) with Some e => (central_below near + far_below near) * Zpos (Qden e) / Qnum e | None => 0 end%Z.
Definition peak_above : Z := Eval vm_compute in (one * one / (2 * half_below) + 1)%Z.
Definition peak_below : Z := Eval vm_compute in (one * one / (2 * half_above))%Z.

Lemma half_at_near : central 5 + mills 5 = half * exp (Q2R (25 # 2)).
Proof. rewrite half_ratio. do 2 f_equal. unfold Q2R. simpl. lra. Qed.

(** Checked by multiplication. *)
Lemma half_above_ok : half <= value half_above.
Proof.
  pose proof (@central_above_ok near ltac:(easy)) as C. pose proof (@far_above_ok near ltac:(easy)) as F. rewrite value_near in *.
  pose proof half_at_near as E. pose proof (exp_below_ok (25 # 2)) as B. set (e := exp_below (25 # 2)) in *.
  assert (M : value (central_above near + far_above near) <= value half_above * Q2R e).
  { rewrite <- !value_Q, <- Q2R_mult. apply Qle_R. unfold e. vm_compute. reflexivity. }
  rewrite value_plus in M. assert (0 < Q2R e) by (rewrite <- Q2R_0; apply Qlt_Rlt; unfold e; vm_compute; reflexivity).
  pose proof half_pos. apply Rmult_le_reg_r with (Q2R e); [assumption|]. nra.
Qed.

Lemma half_below_ok : value half_below <= half.
Proof.
  pose proof (@central_below_ok near ltac:(easy)) as C. pose proof (@far_below_ok near ltac:(easy)) as F. rewrite value_near in *.
  pose proof half_at_near as E. destruct (exp_above (25 # 2)) as [e|] eqn:A; [|vm_compute in A; discriminate].
  pose proof (exp_above_ok _ A) as B.
  assert (M : value half_below * Q2R e <= value (central_below near + far_below near)).
  { rewrite <- !value_Q, <- Q2R_mult. apply Qle_R. vm_compute in A. injection A as <-. vm_compute. reflexivity. }
  rewrite value_plus in M. pose proof (exp_pos (Q2R (25 # 2))). pose proof half_pos.
  apply Rmult_le_reg_r with (Q2R e); [lra|]. nra.
Qed.

Lemma peak_bounds : 0 < value peak_below /\ value peak_below <= / (2 * half) <= value peak_above.
Proof.
  pose proof half_above_ok as A. pose proof half_below_ok as B. pose proof half_pos.
  assert (P : forall a b, Q2R a * (2 * Q2R b) = Q2R (a * (2 * b))).
  { intros. rewrite !Q2R_mult. replace (Q2R 2) with 2 by (unfold Q2R; simpl; lra). ring. }
  assert (L : value peak_below * (2 * value half_above) <= 1).
  { rewrite <- !value_Q, <- Q2R_1, P. apply Qle_R. reflexivity. }
  assert (G : 1 <= value peak_above * (2 * value half_below)).
  { rewrite <- !value_Q, <- Q2R_1, P. apply Qle_R. reflexivity. }
  assert (0 < value peak_below) by (rewrite <- value_Q, <- Q2R_0; apply Qlt_Rlt; reflexivity).
  assert (0 <= value peak_above) by (apply value_nonneg; easy).
  split; [assumption|]. split; apply Rmult_le_reg_r with (2 * half); try lra; rewrite Rinv_l by lra; nra.
Qed.

(** ** The density, to 160 bits of its own *)
Definition scale (a b : Z) : Z := (places + Z.max 0 (Z.log2 b - Z.log2 a))%Z.
Definition ratio_below (a b : Z) : Q := let s := scale a b in (Z.shiftl a s / b # Z.to_pos (2 ^ s))%Q.
Definition ratio_above (a b : Z) : Q := let s := scale a b in (Z.shiftl a s / b + 1 # Z.to_pos (2 ^ s))%Q.

Lemma ratio_ok a b : (0 < b)%Z -> Q2R (ratio_below a b) <= IZR a / IZR b <= Q2R (ratio_above a b).
Proof.
  intros Hb. assert (S : (0 <= scale a b)%Z) by (unfold scale; change places with 160%Z; lia). pose proof (U_pos S) as HU.
  unfold ratio_below, ratio_above. rewrite !Q2R_over, Z.shiftl_mul_pow2 by exact S. apply IZR_lt in Hb as B.
  destruct (@div_R (a * 2 ^ scale a b) b Hb) as [D1 D2]. rewrite mult_IZR in D1, D2. set (u := IZR (2 ^ scale a b)) in *. rewrite plus_IZR.
  unfold Rdiv in *. split; apply Rmult_le_reg_r with u; try exact HU.
  - rewrite Rmult_assoc, Rinv_l by lra. lra.
  - rewrite (Rmult_assoc (_ + _)), Rinv_l by lra. lra.
Qed.

Definition density_above (z : Z) : Q :=
  let e := exp_below (square z # 2 * over) in
  if Qle_bool e 0 then (peak_above # over)%Q else ratio_above (peak_above * Zpos (Qden e)) (one * Qnum e).
Definition density_below (z : Z) : Q :=
  match exp_above (square z + 1 # 2 * over) with
  | Some e => ratio_below (peak_below * Zpos (Qden e)) (one * Qnum e)
  | None => 0%Q
  end.

Lemma value_half z : Q2R (z # 2 * over) = value z / 2.
Proof.
  pose proof one_pos. unfold Q2R, value. cbn [Qnum Qden]. rewrite Pos2Z.inj_mul, mult_IZR. change (Z.pos over) with one. field. lra.
Qed.

Lemma over_exp p e : 0 < Q2R e -> (0 < one * Qnum e)%Z /\ IZR (p * Zpos (Qden e)) / IZR (one * Qnum e) = value p * / Q2R e.
Proof.
  intros E. pose proof one_pos. assert (D : 0 < IZR (Zpos (Qden e))) by now apply IZR_lt.
  assert (N : 0 < IZR (Qnum e)).
  { unfold Q2R in E. apply Rmult_lt_reg_r with (/ IZR (Zpos (Qden e))); [now apply Rinv_0_lt_compat | lra]. }
  split; [apply Z.mul_pos_pos; [easy | now apply lt_IZR]|]. rewrite !mult_IZR. unfold value, Q2R. field. repeat split; lra.
Qed.

Lemma density_above_ok z : (0 <= z)%Z -> phi (value z) <= Q2R (density_above z).
Proof.
  intros Z0. rewrite phi_half. destruct (square_below Z0) as [_ S]. destruct peak_bounds as (_ & _ & P). pose proof half_pos as H.
  pose proof (exp_pos (value z * value z / 2)) as E. assert (0 < / (2 * half)) by (apply Rinv_0_lt_compat; lra).
  unfold density_above. pose proof (exp_below_ok (square z # 2 * over)) as B. rewrite value_half in B.
  set (e := exp_below (square z # 2 * over)) in *. destruct (Qle_bool e 0) eqn:F.
  - rewrite value_Q. apply Rle_trans with (/ (2 * half)); [|exact P].
    assert (/ exp (value z * value z / 2) <= 1); [|nra]. rewrite <- Rinv_1. apply Rinv_le_contravar; [lra|]. apply exp_ge_1. nra.
  - apply Qgt_R in F. rewrite Q2R_0 in F. destruct (over_exp peak_above F) as [G V].
    eapply Rle_trans; [|apply ratio_ok, G]. rewrite V. apply Rmult_le_compat; [lra | left; now apply Rinv_0_lt_compat | exact P|].
    apply Rinv_le_contravar; [exact F|]. eapply Rle_trans; [exact B|]. apply exp_le. lra.
Qed.

Lemma density_below_ok z : Q2R (density_below z) <= phi (value z).
Proof.
  rewrite phi_half. pose proof (square_above z) as S. destruct peak_bounds as (P0 & P & _). pose proof half_pos as H.
  pose proof (exp_pos (value z * value z / 2)) as E. assert (0 < / (2 * half)) by (apply Rinv_0_lt_compat; lra).
  unfold density_below. destruct (exp_above (square z + 1 # 2 * over)) as [e|] eqn:A.
  - apply exp_above_ok in A. rewrite value_half in A. pose proof (exp_pos (value (square z + 1) / 2)).
    destruct (@over_exp peak_below e ltac:(lra)) as [G V]. eapply Rle_trans; [apply (ratio_ok _ G)|]. rewrite V.
    apply Rmult_le_compat; [lra | left; apply Rinv_0_lt_compat; lra | exact P|].
    apply Rinv_le_contravar; [exact E|]. eapply Rle_trans; [|exact A]. apply exp_le. lra.
  - rewrite Q2R_0. apply Rmult_le_pos; left; [assumption | now apply Rinv_0_lt_compat].
Qed.

(** Products with a density. *)
Definition times_below (q : Q) (z : Z) : Q := (down places (Qnum q * Z.max 0 z) # Qden q)%Q.
Definition times_above (q : Q) (z : Z) : Q := (down places (Qnum q * z) + 1 # Qden q)%Q.

Lemma times_R q z : IZR (Qnum q * z) / IZR (2 ^ places) * / IZR (Zpos (Qden q)) = Q2R q * value z.
Proof.
  change (2 ^ places)%Z with one. pose proof one_pos. unfold Q2R, value, Rdiv. rewrite mult_IZR. ring.
Qed.

Lemma times_below_ok q z p y : Q2R q <= p -> 0 <= p -> 0 <= y -> value z <= y -> Q2R (times_below q z) <= p * y.
Proof.
  intros A P Y B. pose proof (times_R q (Z.max 0 z)) as T. destruct (@down_R places (Qnum q * Z.max 0 z) ltac:(easy)) as [D _].
  assert (0 < / IZR (Zpos (Qden q))) by (apply Rinv_0_lt_compat; now apply IZR_lt).
  assert (0 <= value (Z.max 0 z)) by (apply value_nonneg; lia).
  assert (value (Z.max 0 z) <= y) by (destruct (Z.max_spec 0 z) as [[_ ->]|[_ ->]]; [exact B | unfold value, Rdiv; lra]).
  apply Rle_trans with (Q2R q * value (Z.max 0 z)); [|nra]. rewrite <- T. unfold times_below, Q2R; cbn [Qnum Qden]. nra.
Qed.
Lemma times_above_ok q z p y : p <= Q2R q -> 0 <= p -> 0 <= y -> y <= value z -> p * y <= Q2R (times_above q z).
Proof.
  intros A P Y B. pose proof (times_R q z) as T. destruct (@down_R places (Qnum q * z) ltac:(easy)) as [_ D].
  assert (0 < / IZR (Zpos (Qden q))) by (apply Rinv_0_lt_compat; now apply IZR_lt).
  apply Rle_trans with (Q2R q * value z); [nra|]. rewrite <- T. unfold times_above, Q2R; cbn [Qnum Qden]. rewrite plus_IZR. nra.
Qed.

(** ** The tail *)
Definition floor (x : Q) : Z := (Z.shiftl (Qnum x) places / Zpos (Qden x))%Z.

Lemma floor_ok x : value (floor x) <= Q2R x <= value (floor x + 1).
Proof.
  unfold floor. rewrite Z.shiftl_mul_pow2 by easy. change (2 ^ places)%Z with one. pose proof one_pos as H.
  destruct (@div_R (Qnum x * one) (Zpos (Qden x)) ltac:(easy)) as [D1 D2]. rewrite mult_IZR in D1, D2. unfold value. rewrite plus_IZR.
  replace (IZR (Qnum x) * IZR one / IZR (Zpos (Qden x))) with (Q2R x * IZR one) in D1, D2 by (unfold Q2R; field; now apply not_0_IZR).
  split; apply Rmult_le_reg_r with (IZR one); try exact H; unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra.
Qed.
Lemma floor_nonneg x : Qle_bool 0 x = true -> (0 <= floor x)%Z.
Proof.
  intros H. apply Qle_bool_iff in H. unfold Qle in H. simpl in H. unfold floor. rewrite Z.shiftl_mul_pow2 by easy.
  apply Z.div_pos; [|easy]. change (2 ^ places)%Z with one. unfold one. lia.
Qed.
Definition edge : Z := Eval vm_compute in (64 * one)%Z.

(** Where x lies between [z] and [z] + 1 units; from 64 on, the bounds there. *)
Definition tail_above (z : Z) : Q :=
  if Z.ltb z near then ((1 # 2) - times_below (density_below (z + 1)) (central_below z))%Q
  else let z := Z.min z edge in times_above (density_above z) (far_above z).
Definition tail_below (z : Z) : Q :=
  if Z.ltb z near then ((1 # 2) - times_above (density_above z) (central_above (z + 1)))%Q
  else if Z.ltb z edge then times_below (density_below (z + 1)) (far_below (z + 1)) else 0%Q.

Lemma phi_falls x y : 0 <= x -> x <= y -> phi y <= phi x.
Proof.
  intros X L. unfold phi, bell. apply Rmult_le_compat_r; [pose proof half_pos; left; apply Rinv_0_lt_compat; lra|]. apply exp_le. nra.
Qed.
Lemma Q2R_half : Q2R (1 # 2) = 1 / 2. Proof. unfold Q2R; simpl; lra. Qed.

Lemma tail_above_ok z x : (0 <= z)%Z -> value z <= x <= value (z + 1) -> Phi (- x) <= Q2R (tail_above z).
Proof.
  intros Z0 [A B]. pose proof (value_nonneg Z0) as X. unfold tail_above. destruct (Z.ltb z near) eqn:N.
  - rewrite Q2R_minus, Q2R_half, Phi_central. apply Rplus_le_compat_l, Ropp_le_contravar.
    pose proof (central_below_ok Z0). pose proof (@central_rises (value z) x X A).
    apply times_below_ok; [|left; apply phi_pos | apply central_nonneg; lra | lra].
    eapply Rle_trans; [apply density_below_ok | apply phi_falls; lra].
  - apply Z.ltb_ge in N. assert (M : (one <= Z.min z edge)%Z) by (apply Z.min_glb; [eapply Z.le_trans; [|exact N]|]; easy).
    assert (M0 : (0 <= Z.min z edge)%Z) by (eapply Z.le_trans; [|exact M]; easy).
    assert (L : value (Z.min z edge) <= x) by (eapply Rle_trans; [apply value_le, Z.le_min_l | exact A]).
    pose proof (value_nonneg M0). rewrite Phi_mills.
    apply times_above_ok; [|left; apply phi_pos | left; apply mills_pos |].
    + eapply Rle_trans; [apply phi_falls; [|exact L]; assumption | now apply density_above_ok].
    + eapply Rle_trans; [apply mills_falls; [|exact L]; assumption | now apply far_above_ok].
Qed.

Lemma tail_below_ok z x : (0 <= z)%Z -> value z <= x <= value (z + 1) -> Q2R (tail_below z) <= Phi (- x).
Proof.
  intros Z0 [A B]. pose proof (value_nonneg Z0) as X. unfold tail_below. destruct (Z.ltb z near) eqn:N.
  - apply Z.ltb_lt in N. rewrite Q2R_minus, Q2R_half, Phi_central. apply Rplus_le_compat_l, Ropp_le_contravar.
    pose proof (@central_above_ok (z + 1) ltac:(lia)). pose proof (@central_rises x (value (z + 1)) ltac:(lra) B).
    apply times_above_ok; [|left; apply phi_pos | apply central_nonneg; lra | lra].
    eapply Rle_trans; [apply phi_falls; [|exact A]; assumption | now apply density_above_ok].
  - apply Z.ltb_ge in N. destruct (Z.ltb z edge); [|rewrite Q2R_0; left; apply Phi_between].
    assert (M : (one <= z + 1)%Z) by (apply Z.le_le_succ_r; eapply Z.le_trans; [|exact N]; easy).
    rewrite Phi_mills. apply times_below_ok; [|left; apply phi_pos | left; apply mills_pos |].
    + eapply Rle_trans; [apply density_below_ok | apply phi_falls; lra].
    + eapply Rle_trans; [now apply far_below_ok | apply mills_falls; lra].
Qed.

Definition upper_tail_above (x : Q) : Q := if Qle_bool 0 x then tail_above (floor x) else (1 - tail_below (floor (- x)))%Q.
Definition upper_tail_below (x : Q) : Q := if Qle_bool 0 x then tail_below (floor x) else (1 - tail_above (floor (- x)))%Q.

Theorem upper_tail_ok x : Q2R (upper_tail_below x) <= 1 - Phi (Q2R x) <= Q2R (upper_tail_above x).
Proof.
  rewrite <- Phi_opp. unfold upper_tail_below, upper_tail_above. destruct (Qle_bool 0 x) eqn:E.
  - apply floor_nonneg in E. split; [apply tail_below_ok | apply tail_above_ok]; auto using floor_ok.
  - assert (F : Qle_bool 0 (- x) = true).
    { apply Qle_bool_iff. apply Qgt_R in E. apply Rle_Qle. rewrite Q2R_opp, Q2R_0 in *. lra. }
    apply floor_nonneg in F. pose proof (floor_ok (- x)) as B. rewrite !Q2R_minus, Q2R_1. rewrite Q2R_opp in B.
    pose proof (tail_below_ok F B) as L. pose proof (tail_above_ok F B) as U. rewrite Ropp_involutive in L, U. rewrite Phi_opp. lra.
Qed.
