(** * Rounding

    A bound from above may be rounded up, and one from below down. So numbers stay short. *)
From Coq Require Import ZArith QArith Qreals Reals Lra Lia List Bool.
From DPchecker Require Import Numbers Exponentials.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

(** ** Quotients: a power of two in the denominator costs only a shift *)
Fixpoint stripped (p : positive) : Z * positive := match p with xO p => let (n, q) := stripped p in (Z.succ n, q) | _ => (0%Z, p) end.
Definition divided (a : Z) (p : positive) : Z :=
  let (n, q) := stripped p in let b := Z.shiftr a n in match q with xH => b | _ => (b / Zpos q)%Z end.

Lemma stripped_ok p : (0 <= fst (stripped p))%Z /\ (Zpos p = 2 ^ fst (stripped p) * Zpos (snd (stripped p)))%Z.
Proof.
  induction p as [p IH|p IH|]; simpl stripped; try (cbn [fst snd]; lia). destruct (stripped p) as [n q]. cbn [fst snd] in *.
  destruct IH as [N E]. split; [lia|]. rewrite Z.pow_succ_r by exact N. lia.
Qed.
Lemma divided_ok a p : divided a p = (a / Zpos p)%Z.
Proof.
  pose proof (stripped_ok p) as [N E]. unfold divided. destruct (stripped p) as [n q]. cbn [fst snd] in *. rewrite E.
  pose proof (Z.pow_pos_nonneg 2 n ltac:(lia) N). rewrite Z.shiftr_div_pow2 by exact N.
  assert (G : (a / 2 ^ n / Zpos q = a / (2 ^ n * Zpos q))%Z) by (rewrite Z.div_div by lia; reflexivity).
  destruct q; try exact G. now rewrite Z.mul_1_r.
Qed.

(** ** A sum, in which powers of two are not multiplied up *)
Definition plus (a b : Q) : Q :=
  let (i, p) := stripped (Qden a) in let (j, q) := stripped (Qden b) in
  let m := Z.max i j in let u := Z.shiftl (Qnum a) (m - i) in let v := Z.shiftl (Qnum b) (m - j) in
  if Pos.eqb p q then (u + v # Z.to_pos (Z.shiftl (Zpos p) m))%Q else (u * Zpos q + v * Zpos p # Z.to_pos (Z.shiftl (Zpos (p * q)) m))%Q.
Definition minus (a b : Q) : Q := plus a (- b).

Lemma Q2R_stripped a i p : stripped (Qden a) = (i, p) -> (0 <= i)%Z /\ Q2R a = IZR (Qnum a) / (IZR (2 ^ i) * IZR (Zpos p)).
Proof.
  intros E. pose proof (stripped_ok (Qden a)) as [N D]. rewrite E in *. cbn [fst snd] in *. split; [exact N|]. unfold Q2R, Rdiv. now rewrite D, mult_IZR.
Qed.
Lemma shifted_R z i m : (0 <= i <= m)%Z -> IZR (Z.shiftl z (m - i)) = IZR z * IZR (2 ^ m) / IZR (2 ^ i).
Proof.
  intros H. rewrite Z.shiftl_mul_pow2, mult_IZR by lia. replace (2 ^ m)%Z with (2 ^ (m - i) * 2 ^ i)%Z by (rewrite <- Z.pow_add_r by lia; f_equal; lia).
  rewrite mult_IZR. field. apply not_0_IZR. pose proof (Z.pow_pos_nonneg 2 i). lia.
Qed.
Lemma shifted_den z p m : (0 <= m)%Z -> Q2R (z # Z.to_pos (Z.shiftl (Zpos p) m)) = IZR z / (IZR (2 ^ m) * IZR (Zpos p)).
Proof.
  intros H. rewrite Z.shiftl_mul_pow2 by exact H. unfold Q2R, Rdiv. cbn [Qnum Qden]. rewrite Z2Pos.id.
  - rewrite mult_IZR. f_equal. f_equal. ring.
  - pose proof (Z.pow_pos_nonneg 2 m). lia.
Qed.
Lemma plus_ok a b : Q2R (plus a b) = Q2R a + Q2R b.
Proof.
  unfold plus. destruct (stripped (Qden a)) as [i p] eqn:A. destruct (stripped (Qden b)) as [j q] eqn:B.
  apply Q2R_stripped in A, B. destruct A as [Hi A], B as [Hj B]. cbv zeta. set (m := Z.max i j).
  assert (P : forall k, (0 <= k)%Z -> IZR (2 ^ k) <> 0) by (intros k K; apply not_0_IZR; pose proof (Z.pow_pos_nonneg 2 k); lia).
  assert (N : forall r, IZR (Zpos r) <> 0) by (intros r; apply not_0_IZR; lia).
  destruct (Pos.eqb p q) eqn:E.
  - apply Pos.eqb_eq in E. subst q. rewrite shifted_den, plus_IZR, !shifted_R, A, B by lia.
    pose proof (P i Hi). pose proof (P j Hj). pose proof (P m ltac:(lia)). pose proof (N p). field; auto.
  - rewrite shifted_den, plus_IZR, !mult_IZR, !shifted_R, A, B by lia. rewrite Pos2Z.inj_mul, mult_IZR.
    pose proof (P i Hi). pose proof (P j Hj). pose proof (P m ltac:(lia)). pose proof (N p). pose proof (N q). field; auto 6.
Qed.
Lemma minus_ok a b : Q2R (minus a b) = Q2R a - Q2R b.
Proof. unfold minus. rewrite plus_ok, Q2R_opp. ring. Qed.

(** Whether it is no more, by the sign of the difference. *)
Definition no_larger (a b : Q) : bool := Z.leb (Qnum (minus a b)) 0.
Lemma no_larger_R a b : no_larger a b = true -> Q2R a <= Q2R b.
Proof.
  unfold no_larger. intros H. apply Z.leb_le, IZR_le in H. pose proof (minus_ok a b) as M. unfold Q2R at 1 in M.
  assert (0 < / IZR (Zpos (Qden (minus a b)))) by (apply Rinv_0_lt_compat, IZR_lt; lia). nra.
Qed.
Lemma larger_R a b : no_larger a b = false -> Q2R b < Q2R a.
Proof.
  unfold no_larger. intros H. apply Z.leb_gt, IZR_lt in H. pose proof (minus_ok a b) as M. unfold Q2R at 1 in M.
  assert (0 < / IZR (Zpos (Qden (minus a b)))) by (apply Rinv_0_lt_compat, IZR_lt; lia). nra.
Qed.

(** ** To a multiple of 2^-k *)
Definition rounded_down (k : Z) (q : Q) : Q :=
  if Z.ltb k 0 then q
  else let one := Z.to_pos (Z.shiftl 1 k) in if Pos.eqb (Qden q) one then q else (divided (Z.shiftl (Qnum q) k) (Qden q) # one)%Q.
Definition rounded_up (k : Z) (q : Q) : Q := (- rounded_down k (- q))%Q.

Lemma rounded_down_ok k q : Q2R (rounded_down k q) <= Q2R q.
Proof.
  unfold rounded_down. destruct (Z.ltb k 0) eqn:N; [lra|]. apply Z.ltb_ge in N. cbv zeta.
  destruct (Pos.eqb (Qden q) _); [lra|]. rewrite divided_ok, !Z.shiftl_mul_pow2, Z.mul_1_l, Q2R_over by exact N. pose proof (U_pos N) as HU.
  pose proof (@div_R (Qnum q * 2 ^ k) (Zpos (Qden q)) ltac:(lia)) as [D _]. rewrite mult_IZR in D.
  apply Rmult_le_reg_r with (IZR (2 ^ k)); [exact HU|]. unfold Rdiv at 1. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
  unfold Q2R. unfold Rdiv in D. lra.
Qed.
Lemma rounded_up_ok k q : Q2R q <= Q2R (rounded_up k q).
Proof. pose proof (rounded_down_ok k (- q)) as D. unfold rounded_up. rewrite Q2R_opp in *. lra. Qed.

(** ** How exactly to work

    Sums are taken over a common denominator if they are to be [exact]. Else, and where that is too long, a sum with a denominator
    of more than 64 bits is rounded up to a multiple of 2^-[grain]. On the way from curve to curve a denominator of up to [room]
    bits stays; a number with a longer one is rounded to [digits] significant bits. [rough] are the bits by which numbers are
    compared at first, where most are out of the question. *)
Record mode := { exact : bool; grain : Z; room : Z; rough : Z }.

Section Mode.
Variable md : mode.
Definition units : Z := Z.max 0 (rough md).
Lemma units_nonneg : (0 <= units)%Z. Proof. apply Z.le_max_l. Qed.

Definition digits : Z := 160.
Definition place (q : Q) : Z := (digits + Z.log2 (Zpos (Qden q)) - Z.log2 (Z.abs (Qnum q)))%Z.
Definition short_below (q : Q) : Q :=
  match Qnum q with Z0 => 0%Q | _ => if Z.leb (Z.log2 (Zpos (Qden q))) (room md) then q else rounded_down (place q) q end.
Definition short_above (q : Q) : Q :=
  match Qnum q with Z0 => 0%Q | _ => if Z.leb (Z.log2 (Zpos (Qden q))) (room md) then q else rounded_up (place q) q end.

Lemma no_numerator q : Qnum q = 0%Z -> Q2R q = 0.
Proof. unfold Q2R. intros ->. lra. Qed.
Lemma short_below_ok q : Q2R (short_below q) <= Q2R q.
Proof.
  unfold short_below. destruct (Qnum q) eqn:E; [rewrite Q2R_0, (no_numerator _ E); lra | |];
  (destruct (Z.leb _ _); [lra | apply rounded_down_ok]).
Qed.
Lemma short_above_ok q : Q2R q <= Q2R (short_above q).
Proof.
  unfold short_above. destruct (Qnum q) eqn:E; [rewrite Q2R_0, (no_numerator _ E); lra | |];
  (destruct (Z.leb _ _); [lra | apply rounded_up_ok]).
Qed.

(** A delta: to so many digits of it, or of what it lacks to 1, which a trade-off curve asks for. *)
Definition delta_above (q : Q) : Q := if Qle_bool q (1 # 2) then short_above q else (1 - short_below (minus 1 q))%Q.
Lemma delta_above_ok q : Q2R q <= Q2R (delta_above q).
Proof.
  unfold delta_above. destruct (Qle_bool q (1 # 2)); [apply short_above_ok|].
  pose proof (short_below_ok (minus 1 q)) as H. rewrite minus_ok, Q2R_1 in H. rewrite Q2R_minus, Q2R_1. lra.
Qed.

End Mode.
