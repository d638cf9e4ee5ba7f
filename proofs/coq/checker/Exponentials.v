(** * Rational bounds of exp, from below and from above, and of log from above

    [e^x = 2^k e^-s] for some s from 0 to log 2; and e^-s is a product of numbers 1 - 2^-j, by the table of their logarithms, and of
    what is left. All in units of 2^-160, each step rounded to the safe side. *)
From Coq Require Import ZArith QArith Qround Qreals Reals Lra Lia Psatz Bool List.
From DPcore Require Import Indistinguishability.
From DPchecker Require Export Taylor.
From DPchecker Require Import Numbers LogTable.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

Notation U := (IZR (2 ^ unit_bits)).

(** ** The product: [r] is what is left of s, [y] the product so far. Each factor is taken twice at most. *)
Fixpoint fall_below (steps : list (Z * (Z * Z))) (r y : Z) : Z * Z :=
  match steps with
  | [] => (r, y)
  | (j, (l, w)) :: steps =>
      if Z.ltb r l then fall_below steps r y
      else let r := (r - l)%Z in let y := (y - Z.shiftr y j - 1)%Z in
           if Z.ltb r l then fall_below steps r y else fall_below steps (r - l) (y - Z.shiftr y j - 1)
  end.
Fixpoint fall_above (steps : list (Z * (Z * Z))) (r y : Z) : Z * Z :=
  match steps with
  | [] => (r, y)
  | (j, (l, w)) :: steps =>
      if Z.ltb r (l + w) then fall_above steps r y
      else let r := (r - (l + w))%Z in let y := (y - Z.shiftr y j)%Z in
           if Z.ltb r (l + w) then fall_above steps r y else fall_above steps (r - (l + w)) (y - Z.shiftr y j)
  end.

(** e^-s: what is left counts as [1 - r], or [1 - r + r^2]. *)
Definition negative_below (s : Z) : Z :=
  let (r, y) := fall_below (tl table) s (2 ^ unit_bits) in if Z.ltb y 0 then 0%Z else (y + Z.shiftr (- (y * r)) unit_bits)%Z.
Definition negative_above (s : Z) : Z :=
  let (r, y) := fall_above (tl table) s (2 ^ unit_bits) in
  (Z.shiftr (y * (2 ^ unit_bits - r + Z.shiftr (r * r) unit_bits + 1)) unit_bits + 1)%Z.

(** Beyond [limit] nothing is followed. *)
Definition limit : Q := 8000.
Definition tiny (x : Q) : bool := match Qnum x with Z0 => true | z => Z.ltb (Z.log2 z + 16) (Z.log2 (Zpos (Qden x))) end.
Definition units_of (x : Q) : Z := (Z.shiftl (Qnum x) unit_bits / Zpos (Qden x))%Z.
Definition log_2 : Z * Z := snd (hd (1, (0, 0)) table)%Z.
(** A little more than x/log 2. *)
Definition doublings (x : Z) : Z := (Z.shiftr x 100 / Z.shiftr (fst log_2) 100 + 1)%Z.
Definition doubled (k y : Z) : Q :=
  if Z.leb k unit_bits then (y # Z.to_pos (2 ^ (unit_bits - k)))%Q else inject_Z (Z.shiftl y (k - unit_bits)).

Definition table_below (x : Q) : Q :=
  let z := units_of x in let k := doublings z in doubled k (negative_below (k * (fst log_2 + snd log_2) - z)).
Definition table_above (x : Q) : option Q :=
  let z := units_of x in let k := doublings z in let s := (k * fst log_2 - z - 1)%Z in
  if Z.leb 0 s then Some (doubled k (negative_above s)) else None.

Definition exp_below (x : Q) : Q :=
  if Qle_bool 0 x then if tiny x then series_below x else if Qle_bool x limit then table_below x else table_below limit else 0%Q.
(** Nothing where it is more than can be followed. *)
Definition exp_above (x : Q) : option Q :=
  if Qle_bool 0 x then if tiny x then series_above x else if Qle_bool x limit then table_above x else None else None.

(** ** They are bounds *)
Lemma factor j : (1 <= j)%Z -> 0 < 1 - / IZR (2 ^ j) /\ exp (log_of j) * (1 - / IZR (2 ^ j)) = 1.
Proof.
  intros J. assert (P2 : 2 <= IZR (2 ^ j)) by (apply IZR_le; rewrite <- (Z.pow_1_r 2) at 1; apply Z.pow_le_mono_r; lia).
  assert (T : 0 < / IZR (2 ^ j) <= / 2) by (split; [apply Rinv_0_lt_compat | apply Rinv_le_contravar]; lra).
  split; [lra|]. unfold log_of. rewrite exp_Ropp, exp_ln by lra. field. lra.
Qed.

Lemma shiftr_R y j : (0 <= j)%Z -> IZR (Z.shiftr y j) <= IZR y * / IZR (2 ^ j) < IZR (Z.shiftr y j) + 1.
Proof. intros J. exact (down_R y J). Qed.

Definition good (steps : list (Z * (Z * Z))) : Prop := forall j l w, In (j, (l, w)) steps -> (1 <= j)%Z /\ IZR l <= log_of j * U <= IZR (l + w).
Lemma good_table : good (tl table).
Proof. intros j l w H. apply table_ok. unfold table in *. now right. Qed.

Lemma over_U a b : a <= b * U -> a / U <= b.
Proof. intros H. pose proof U_above_0. apply Rmult_le_reg_r with U; [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. Qed.
Lemma under_U a b : b * U <= a -> b <= a / U.
Proof. intros H. pose proof U_above_0. apply Rmult_le_reg_r with U; [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. Qed.

Section Walk.
Variable V : R.
Hypothesis V_pos : 0 < V.

Definition under (r y : Z) : Prop := IZR y * exp (- (IZR r / U)) <= V.
Definition over (r y : Z) : Prop := (0 <= r)%Z /\ V <= IZR y * exp (- (IZR r / U)).

Lemma split_exp r l : exp (- (IZR (r - l) / U)) = exp (- (IZR r / U)) * exp (IZR l / U).
Proof. rewrite <- exp_plus, minus_IZR. f_equal. field. pose proof U_above_0. lra. Qed.

Lemma step_below j l r y : (1 <= j)%Z -> IZR l <= log_of j * U -> under r y -> under (r - l) (y - Z.shiftr y j - 1).
Proof.
  unfold under. intros J L H. destruct (factor J) as [F E]. pose proof (@shiftr_R y j ltac:(lia)) as [_ S]. rewrite split_exp, !minus_IZR.
  pose proof (exp_pos (- (IZR r / U))) as C. set (c := exp (- (IZR r / U))) in *. pose proof (exp_pos (IZR l / U)) as D.
  pose proof (exp_le (over_U L)) as X. set (d := exp (IZR l / U)) in *. set (f := 1 - / IZR (2 ^ j)) in *.
  assert (X1 : d * f <= 1) by (apply Rle_trans with (exp (log_of j) * f); [apply Rmult_le_compat_r; lra | lra]).
  assert (Y : (IZR y - IZR (Z.shiftr y j) - 1) * (c * d) <= IZR y * f * (c * d)).
  { apply Rmult_le_compat_r; [apply Rmult_le_pos; lra|]. unfold f. rewrite Rmult_minus_distr_l. lra. }
  eapply Rle_trans; [exact Y|]. replace (IZR y * f * (c * d)) with (IZR y * c * (d * f)) by ring. assert (0 <= d * f) by (apply Rmult_le_pos; lra).
  destruct (Rle_dec 0 (IZR y * c)) as [P|P]; [|apply Rnot_le_lt in P; nra]. apply Rle_trans with (IZR y * c * 1); [now apply Rmult_le_compat_l | lra].
Qed.

Lemma step_above j h r y : (1 <= j)%Z -> log_of j * U <= IZR h -> (h <= r)%Z -> over r y -> over (r - h) (y - Z.shiftr y j).
Proof.
  unfold over. intros J L G [R0 H]. split; [lia|]. destruct (factor J) as [F E]. pose proof (@shiftr_R y j ltac:(lia)) as [S _]. rewrite split_exp, minus_IZR.
  pose proof (exp_pos (- (IZR r / U))) as C. set (c := exp (- (IZR r / U))) in *. pose proof (exp_pos (IZR h / U)) as D.
  pose proof (exp_le (under_U L)) as X. set (d := exp (IZR h / U)) in *. set (f := 1 - / IZR (2 ^ j)) in *.
  assert (X1 : 1 <= d * f) by (apply Rle_trans with (exp (log_of j) * f); [lra | apply Rmult_le_compat_r; lra]).
  assert (Y : IZR y * f * (c * d) <= (IZR y - IZR (Z.shiftr y j)) * (c * d)).
  { apply Rmult_le_compat_r; [apply Rmult_le_pos; lra|]. unfold f. rewrite Rmult_minus_distr_l. lra. }
  eapply Rle_trans; [|exact Y]. replace (IZR y * f * (c * d)) with (IZR y * c * (d * f)) by ring. nra.
Qed.

Lemma fall_below_ok steps r y : good steps -> under r y -> let (r', y') := fall_below steps r y in under r' y'.
Proof.
  revert r y. induction steps as [|[j [l w]] steps IH]; intros r y G H; [exact H|]. cbn [fall_below]. cbv zeta.
  destruct (G j l w (or_introl eq_refl)) as [J [L _]]. assert (G' : good steps) by (intros a b c K; apply G; now right).
  destruct (Z.ltb r l); [now apply IH|]. pose proof (@step_below j l _ _ J L H) as H1.
  destruct (Z.ltb (r - l) l); [now apply IH|]. exact (IH _ _ G' (@step_below j l _ _ J L H1)).
Qed.
Lemma fall_above_ok steps r y : good steps -> over r y -> let (r', y') := fall_above steps r y in over r' y'.
Proof.
  revert r y. induction steps as [|[j [l w]] steps IH]; intros r y G H; [exact H|]. cbn [fall_above]. cbv zeta.
  destruct (G j l w (or_introl eq_refl)) as [J [_ L]]. assert (G' : good steps) by (intros a b c K; apply G; now right).
  destruct (Z.ltb r (l + w)) eqn:E1; [now apply IH|]. apply Z.ltb_ge in E1. pose proof (@step_above j _ _ _ J L E1 H) as H1.
  destruct (Z.ltb (r - (l + w)) (l + w)) eqn:E2; [now apply IH|]. apply Z.ltb_ge in E2. exact (IH _ _ G' (@step_above j _ _ _ J L E2 H1)).
Qed.
End Walk.

Lemma negative_below_ok s : IZR (negative_below s) <= U * exp (- (IZR s / U)).
Proof.
  pose proof U_above_0 as U0. set (V := U * exp (- (IZR s / U))). assert (V0 : 0 < V) by (apply Rmult_lt_0_compat; [exact U0 | apply exp_pos]).
  unfold negative_below. pose proof (@fall_below_ok V V0 (tl table) s (2 ^ unit_bits) good_table (Rle_refl V)) as H.
  destruct (fall_below _ s _) as [r y]. unfold under in H. destruct (Z.ltb y 0) eqn:Y; [lra|]. apply Z.ltb_ge, IZR_le in Y.
  rewrite plus_IZR. pose proof (@shiftr_R (- (y * r)) unit_bits ltac:(discriminate)) as [S _]. rewrite opp_IZR, mult_IZR in S.
  pose proof (exp_ineq1_le (- (IZR r / U))) as X. eapply Rle_trans; [|exact H]. apply Rle_trans with (IZR y * (1 + - (IZR r / U))); [|now apply Rmult_le_compat_l].
  unfold Rdiv. lra.
Qed.

Lemma negative_above_ok s : (0 <= s)%Z -> U * exp (- (IZR s / U)) <= IZR (negative_above s).
Proof.
  intros S0. pose proof U_above_0 as U0. set (V := U * exp (- (IZR s / U))). assert (V0 : 0 < V) by (apply Rmult_lt_0_compat; [exact U0 | apply exp_pos]).
  unfold negative_above. pose proof (@fall_above_ok V V0 (tl table) s (2 ^ unit_bits) good_table (conj S0 (Rle_refl V))) as H.
  destruct (fall_above _ s _) as [r y]. destruct H as [R0 H]. apply IZR_le in R0. rewrite plus_IZR.
  set (m := (2 ^ unit_bits - r + Z.shiftr (r * r) unit_bits + 1)%Z).
  pose proof (@shiftr_R (y * m) unit_bits ltac:(discriminate)) as [_ S1]. rewrite mult_IZR in S1.
  pose proof (@shiftr_R (r * r) unit_bits ltac:(discriminate)) as [_ S2]. rewrite mult_IZR in S2.
  assert (M : U - IZR r + IZR r * IZR r * / U <= IZR m) by (unfold m; rewrite !plus_IZR, minus_IZR; lra).
  set (q := IZR r / U) in *. assert (Q0 : 0 <= q) by (apply Rmult_le_pos; [exact R0 | left; now apply Rinv_0_lt_compat]).
  assert (E : exp (- q) <= 1 - q + q * q).
  { rewrite exp_Ropp. pose proof (exp_ineq1_le q) as X. apply Rle_trans with (/ (1 + q)); [apply Rinv_le_contravar; lra|].
    apply Rmult_le_reg_l with (1 + q); [lra|]. rewrite Rinv_r by lra. assert (0 <= q * (q * q)) by (apply Rmult_le_pos; nra). nra. }
  assert (Mq : (1 - q + q * q) * U <= IZR m).
  { replace ((1 - q + q * q) * U) with (U - IZR r + IZR r * IZR r * / U) by (unfold q; field; lra). exact M. }
  pose proof (exp_pos (- q)) as Eq. assert (Y0 : 0 < IZR y) by nra.
  assert (IZR y * exp (- q) <= IZR y * IZR m * / U).
  { rewrite Rmult_assoc. apply Rmult_le_compat_l; [lra|]. apply Rmult_le_reg_r with U; [exact U0|]. rewrite (Rmult_assoc (IZR m)), Rinv_l, Rmult_1_r by lra.
    apply Rle_trans with ((1 - q + q * q) * U); [apply Rmult_le_compat_r; lra | exact Mq]. }
  lra.
Qed.

(** Back to e^x. *)
Lemma doubled_R k y : (0 <= k)%Z -> Q2R (doubled k y) = IZR y / U * IZR (2 ^ k).
Proof.
  intros K. pose proof U_above_0 as U0. unfold doubled. destruct (Z.leb k unit_bits) eqn:E.
  - apply Z.leb_le in E. rewrite Q2R_over by lia. replace U with (IZR (2 ^ (unit_bits - k)) * IZR (2 ^ k)) by (rewrite <- mult_IZR, <- Z.pow_add_r by lia; do 2 f_equal; lia).
    field. split; apply not_0_IZR; pose proof (Z.pow_pos_nonneg 2 k); pose proof (Z.pow_pos_nonneg 2 (unit_bits - k)); lia.
  - apply Z.leb_gt in E. rewrite Q2R_Z, Z.shiftl_mul_pow2, mult_IZR by lia.
    replace (IZR (2 ^ k)) with (IZR (2 ^ (k - unit_bits)) * U) by (rewrite <- mult_IZR, <- Z.pow_add_r by (lia || discriminate); do 2 f_equal; lia). field. lra.
Qed.

Lemma log_2_ok : IZR (fst log_2) <= ln 2 * U <= IZR (fst log_2 + snd log_2).
Proof.
  assert (E : log_of 1 = ln 2) by (unfold log_of; change (IZR (2 ^ 1)) with 2; replace (1 - / 2) with (/ 2) by lra; rewrite ln_Rinv; lra).
  rewrite <- E. apply (@table_ok 1 (fst log_2) (snd log_2)). now left.
Qed.

Lemma two_to k : (0 <= k)%Z -> exp (IZR k * ln 2) = IZR (2 ^ k).
Proof.
  intros K. rewrite <- (Z2Nat.id k) at 2 by exact K. rewrite <- pow_IZR, <- Rpower_pow by lra. unfold Rpower. f_equal. now rewrite INR_IZR_INZ, Z2Nat.id.
Qed.

Section At.
Variable x : Q.
Hypothesis x_nonneg : 0 <= Q2R x.
Notation z := (units_of x).
Notation k := (doublings z).

Lemma units_of_ok : IZR z <= Q2R x * U < IZR z + 1.
Proof.
  unfold units_of. pose proof (@div_R (Z.shiftl (Qnum x) unit_bits) (Zpos (Qden x)) ltac:(lia)) as D.
  rewrite Z.shiftl_mul_pow2, mult_IZR in D by discriminate. rewrite Z.shiftl_mul_pow2 by discriminate.
  replace (Q2R x * U) with (IZR (Qnum x) * U / IZR (Zpos (Qden x))) by (unfold Q2R, Rdiv; ring). exact D.
Qed.
Lemma doublings_nonneg : (0 <= k)%Z.
Proof.
  pose proof units_of_ok as [_ H]. assert (Z0 : (0 <= z)%Z).
  { apply Z.lt_succ_r, lt_IZR. rewrite succ_IZR. pose proof U_above_0. assert (0 <= Q2R x * U) by (apply Rmult_le_pos; lra). lra. }
  unfold doublings. assert (0 <= Z.shiftr z 100 / Z.shiftr (fst log_2) 100)%Z; [|lia].
  apply Z.div_pos; [now apply Z.shiftr_nonneg | reflexivity].
Qed.

Lemma shifted_exp : exp (Q2R x) = IZR (2 ^ k) * exp (- (IZR k * ln 2 - Q2R x)).
Proof. rewrite <- two_to by apply doublings_nonneg. rewrite <- exp_plus. f_equal. ring. Qed.

Lemma table_below_ok : Q2R (table_below x) <= exp (Q2R x).
Proof.
  unfold table_below. cbv zeta. rewrite doubled_R by apply doublings_nonneg. pose proof U_above_0 as U0. pose proof units_of_ok as [Z1 _]. pose proof log_2_ok as [_ L].
  set (s := (k * (fst log_2 + snd log_2) - z)%Z). pose proof (negative_below_ok s) as N. rewrite shifted_exp, (Rmult_comm (IZR (2 ^ k))).
  apply Rmult_le_compat_r; [apply IZR_le, Z.pow_nonneg; lia|]. apply over_U.
  eapply Rle_trans; [exact N|]. rewrite Rmult_comm. apply Rmult_le_compat_r; [lra|]. apply exp_le, Ropp_le_contravar. apply under_U.
  unfold s. rewrite minus_IZR, mult_IZR. pose proof (IZR_le _ _ doublings_nonneg). nra.
Qed.
Lemma table_above_ok y : table_above x = Some y -> exp (Q2R x) <= Q2R y.
Proof.
  unfold table_above. cbv zeta. set (s := (k * fst log_2 - z - 1)%Z). destruct (Z.leb 0 s) eqn:S0; [|discriminate]. intros H; injection H as <-.
  apply Z.leb_le in S0. rewrite doubled_R by apply doublings_nonneg. pose proof U_above_0 as U0. pose proof units_of_ok as [_ Z1]. pose proof log_2_ok as [L _].
  pose proof (negative_above_ok S0) as N. rewrite shifted_exp, (Rmult_comm (IZR (2 ^ k))).
  apply Rmult_le_compat_r; [apply IZR_le, Z.pow_nonneg; lia|]. apply under_U. eapply Rle_trans; [|exact N]. rewrite Rmult_comm.
  apply Rmult_le_compat_l; [lra|]. apply exp_le, Ropp_le_contravar. apply over_U.
  unfold s. rewrite !minus_IZR, mult_IZR. pose proof (IZR_le _ _ doublings_nonneg). nra.
Qed.
End At.

Lemma limit_nonneg : 0 <= Q2R limit. Proof. unfold limit, Q2R; simpl; lra. Qed.

Theorem exp_below_ok x : Q2R (exp_below x) <= exp (Q2R x).
Proof.
  unfold exp_below. destruct (Qle_bool 0 x) eqn:E; [|rewrite Q2R_0; left; apply exp_pos]. apply Qle_R in E; rewrite Q2R_0 in E.
  destruct (tiny x); [now apply series_below_ok|]. destruct (Qle_bool x limit) eqn:L; [now apply table_below_ok|].
  apply Qgt_R in L. eapply Rle_trans; [apply (table_below_ok limit_nonneg)|]. apply exp_le. lra.
Qed.
Theorem exp_above_ok x y : exp_above x = Some y -> exp (Q2R x) <= Q2R y.
Proof.
  unfold exp_above. destruct (Qle_bool 0 x) eqn:E; [|discriminate]. apply Qle_R in E; rewrite Q2R_0 in E.
  destruct (tiny x); [now apply series_above_ok|]. destruct (Qle_bool x limit); [now apply table_above_ok | discriminate].
Qed.

(** ** log from above: guessed, and checked by exp *)
Fixpoint climbed (steps : list (Z * (Z * Z))) (y sum : Z) : Z * Z :=
  match steps with
  | [] => (y, sum)
  | (j, (l, w)) :: steps =>
      let t := (y - Z.shiftr y j)%Z in
      if Z.ltb t (2 ^ unit_bits) then climbed steps y sum
      else let u := (t - Z.shiftr t j)%Z in
           if Z.ltb u (2 ^ unit_bits) then climbed steps t (sum + l + w) else climbed steps u (sum + 2 * (l + w))
  end.
Definition log_far (x : Q) : Q :=
  let k := (Z.log2 (Qnum x) - Z.log2 (Zpos (Qden x)))%Z in
  let f := (Z.shiftl (Qnum x) (unit_bits - Z.min k 0) / Z.shiftl (Zpos (Qden x)) (Z.max k 0))%Z in
  let (f, k) := if Z.ltb f (2 ^ unit_bits) then (2 * f, k - 1)%Z else (f, k) in
  let (y, sum) := climbed (tl table) f 0 in
  let log_2 := if Z.leb 0 k then (fst log_2 + snd log_2)%Z else fst log_2 in
  (sum + (y - 2 ^ unit_bits) + k * log_2 + 8192 + 512 * Z.abs k # Z.to_pos (2 ^ unit_bits))%Q.

(** Near 1 by a series, to more bits. *)
Fixpoint arctanh (fuel : nat) (n square power : Z) (i : positive) : Z :=
  match fuel with
  | O => 0%Z
  | S fuel => if (Z.eqb power 0 || Z.eqb power (-1))%bool then 0%Z
              else (power / Zpos i + arctanh fuel n square (Z.shiftr (power * square) n) (i + 2))%Z
  end.
Definition arctanh_of (p q n : Z) : Z :=
  let power := (Z.shiftl p n / q)%Z in arctanh (Z.to_nat n) n (Z.shiftr (power * power) n) power 1.

Definition log_near (x : Q) : Q :=
  let p := Qnum x in let q := Zpos (Qden x) in
  let n := (precision + Z.log2 (p + q) - Z.log2 (Z.abs (p - q)))%Z in
  let s := (2 * arctanh_of (p - q) (p + q) n)%Z in
  (s + Z.shiftl (Z.abs s) (16 - n) + 4096 # Z.to_pos (2 ^ n))%Q.

Definition log_guess (x : Q) : Q :=
  let p := Qnum x in let q := Zpos (Qden x) in
  if Z.ltb 16 (Z.log2 (p + q) - Z.log2 (Z.abs (p - q))) then log_near x else log_far x.

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
