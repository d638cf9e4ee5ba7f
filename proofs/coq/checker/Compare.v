(** * Comparing a figure with a claim, when both may be long

    By their leading bits where that decides it; else by whole numbers, where the denominator of the claim divides the other. *)
From Coq Require Import ZArith QArith Qreals Reals Lra Lia Bool.
From DPchecker Require Import Numbers.
Open Scope Z_scope.
Set Implicit Arguments.

(** The leading bits, and how many are cut off. *)
Definition leading (z : Z) : Z * Z := let k := Z.max 0 (Z.log2 z - 127) in (Z.shiftr z k, k).

(** [m 2^k <= n 2^l] *)
Definition shifted_le (m k n l : Z) : bool := if Z.leb k l then Z.leb m (Z.shiftl n (l - k)) else Z.leb (Z.shiftl m (k - l)) n.

(** No more, and not only by the bits cut off. *)
Definition surely_le (a b : Q) : bool :=
  let (m, i) := leading (Qnum a) in let (e, j) := leading (Zpos (Qden b)) in
  let (n, k) := leading (Qnum b) in let (d, l) := leading (Zpos (Qden a)) in
  Z.leb 0 (Qnum a) && Z.leb 0 (Qnum b) && shifted_le ((m + 1) * (e + 1)) (i + j) (n * d) (k + l).
(** By whole numbers. *)
Definition divides_le (a b : Q) : bool :=
  let (t, r) := Z.div_eucl (Zpos (Qden a)) (Zpos (Qden b)) in if Z.eqb r 0 then Z.leb (Qnum a) (Qnum b * t) else Qle_bool a b.
Definition is_long (q : Q) : bool := Z.ltb 400 (Z.log2 (Zpos (Qden q))).
Definition le_quick (a b : Q) : bool :=
  if is_long a || is_long b then if surely_le a b then true else if surely_le b a then false else divides_le a b else Qle_bool a b.

Lemma leading_ok z : 0 <= z -> let (m, k) := leading z in 0 <= m /\ 0 <= k /\ m * 2 ^ k <= z < (m + 1) * 2 ^ k.
Proof.
  intros Hz. unfold leading. cbv zeta. set (k := Z.max 0 _). assert (K : 0 <= k) by apply Z.le_max_l.
  rewrite Z.shiftr_div_pow2 by exact K. pose proof (Z.pow_pos_nonneg 2 k ltac:(lia) K) as P.
  pose proof (Z.div_pos z (2 ^ k) Hz P). pose proof (Z.mul_div_le z (2 ^ k) P). pose proof (Z.mul_succ_div_gt z (2 ^ k) P). lia.
Qed.

Lemma shifted_le_ok m k n l : 0 <= k -> 0 <= l -> shifted_le m k n l = true -> m * 2 ^ k <= n * 2 ^ l.
Proof.
  unfold shifted_le. intros K L. destruct (Z.leb k l) eqn:E; intros H; apply Z.leb_le in H; [apply Z.leb_le in E | apply Z.leb_gt in E];
  rewrite Z.shiftl_mul_pow2 in H by lia.
  - replace (2 ^ l) with (2 ^ (l - k) * 2 ^ k) by (rewrite <- Z.pow_add_r by lia; f_equal; lia). pose proof (Z.pow_pos_nonneg 2 k). nia.
  - replace (2 ^ k) with (2 ^ (k - l) * 2 ^ l) by (rewrite <- Z.pow_add_r by lia; f_equal; lia). pose proof (Z.pow_pos_nonneg 2 l). nia.
Qed.

Lemma surely_le_ok a b : surely_le a b = true -> Qle a b.
Proof.
  unfold surely_le, Qle.
  destruct (leading (Qnum a)) as [m i] eqn:A. destruct (leading (Zpos (Qden b))) as [e j] eqn:B.
  destruct (leading (Qnum b)) as [n k] eqn:C. destruct (leading (Zpos (Qden a))) as [d l] eqn:D. intros H.
  apply andb_prop in H. destruct H as [H S]. apply andb_prop in H. destruct H as [Ha Hb]. apply Z.leb_le in Ha, Hb.
  pose proof (leading_ok Ha) as La. rewrite A in La. pose proof (@leading_ok (Zpos (Qden b)) ltac:(lia)) as Lb. rewrite B in Lb.
  pose proof (leading_ok Hb) as Lc. rewrite C in Lc. pose proof (@leading_ok (Zpos (Qden a)) ltac:(lia)) as Ld. rewrite D in Ld.
  apply shifted_le_ok in S; [|lia|lia]. rewrite !Z.pow_add_r in S by lia.
  destruct La as (? & ? & ? & ?), Lb as (? & ? & ? & ?), Lc as (? & ? & ? & ?), Ld as (? & ? & ? & ?).
  apply Z.le_trans with ((m + 1) * 2 ^ i * ((e + 1) * 2 ^ j)); [apply Z.mul_le_mono_nonneg; lia|].
  apply Z.le_trans with (n * 2 ^ k * (d * 2 ^ l)); [|apply Z.mul_le_mono_nonneg; try lia; apply Z.mul_nonneg_nonneg; try lia; now apply Z.pow_nonneg].
  replace ((m + 1) * 2 ^ i * ((e + 1) * 2 ^ j)) with ((m + 1) * (e + 1) * (2 ^ i * 2 ^ j)) by ring.
  replace (n * 2 ^ k * (d * 2 ^ l)) with (n * d * (2 ^ k * 2 ^ l)) by ring. exact S.
Qed.

Lemma divides_le_ok a b : divides_le a b = true -> Qle a b.
Proof.
  unfold divides_le. pose proof (Z_div_mod (Zpos (Qden a)) (Zpos (Qden b)) ltac:(lia)) as D. destruct (Z.div_eucl _ _) as [t r]. destruct D as [D _].
  destruct (Z.eqb r 0) eqn:E; [|intros H; now apply Qle_bool_iff]. apply Z.eqb_eq in E. intros H; apply Z.leb_le in H. unfold Qle. rewrite D. nia.
Qed.

Theorem le_quick_R a b : le_quick a b = true -> (Q2R a <= Q2R b)%R.
Proof.
  unfold le_quick. intros H. apply Qle_Rle. destruct (is_long a || is_long b); [|now apply Qle_bool_iff].
  destruct (surely_le a b) eqn:S; [now apply surely_le_ok|]. destruct (surely_le b a); [discriminate | now apply divides_le_ok].
Qed.
