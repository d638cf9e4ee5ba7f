(** * Rough bounds of values that fall with a number [y]: at most [t - s y]

    In units of 2^-n: [t] rounded up, [s] and [y] rounded down. *)
From Coq Require Import ZArith QArith Qreals Reals Lra Lia.
From DPchecker Require Import Numbers Exponentials Rounding Highest.
Open Scope R_scope.
Set Implicit Arguments.

Record slope := { from_top : Z; falls : Z }.

Section Units.
Variable n : Z.
Hypothesis n_nonneg : (0 <= n)%Z.

Definition slope_of (t s : Q) : slope := {| from_top := (- floor_of n (- t))%Z; falls := floor_of n s |}.
Definition at_height (w : Z) (s : slope) : Z := (from_top s - Z.shiftr (falls s * w) n)%Z.
Definition over_both (a b : slope) : slope := {| from_top := Z.max (from_top a) (from_top b); falls := Z.min (falls a) (falls b) |}.

Lemma floor_of_nonneg q : 0 <= Q2R q -> (0 <= floor_of n q)%Z.
Proof.
  intros H. unfold floor_of. rewrite divided_ok, Z.shiftl_mul_pow2 by exact n_nonneg. apply Z.div_pos; [|lia].
  apply Z.mul_nonneg_nonneg; [|now apply Z.pow_nonneg]. rewrite <- Q2R_0 in H. apply Rle_Qle in H. unfold Qle in H. simpl in H. lia.
Qed.

Lemma slope_over t s y : 0 <= Q2R s -> 0 <= Q2R y ->
  (Q2R t - Q2R s * Q2R y) * IZR (2 ^ n) <= IZR (at_height (floor_of n y) (slope_of t s)).
Proof.
  intros S Y. unfold at_height, slope_of; cbn [from_top falls]. rewrite minus_IZR, opp_IZR.
  pose proof (floor_of_ok n_nonneg (- t)) as T. rewrite Q2R_opp in T.
  pose proof (floor_of_ok n_nonneg s) as Fs. pose proof (floor_of_ok n_nonneg y) as Fy. pose proof (U_pos n_nonneg) as U.
  pose proof (down_R (floor_of n s * floor_of n y) n_nonneg) as [D _]. unfold down in D. rewrite mult_IZR in D.
  pose proof (IZR_le _ _ (floor_of_nonneg S)) as Ps. pose proof (IZR_le _ _ (floor_of_nonneg Y)) as Py.
  set (a := IZR (floor_of n s)) in *. set (b := IZR (floor_of n y)) in *. set (u := IZR (2 ^ n)) in *.
  assert (a * b <= Q2R s * u * (Q2R y * u)) by (apply Rmult_le_compat; lra).
  assert (a * b / u <= Q2R s * Q2R y * u).
  { apply Rmult_le_reg_r with u; [exact U|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  lra.
Qed.

Lemma over_both_ok w a b : (0 <= w)%Z -> (at_height w a <= at_height w (over_both a b))%Z /\ (at_height w b <= at_height w (over_both a b))%Z.
Proof.
  intros W. unfold at_height, over_both; cbn [from_top falls].
  assert (M : forall p q, (p <= q)%Z -> (Z.shiftr (p * w) n <= Z.shiftr (q * w) n)%Z).
  { intros p q H. rewrite !Z.shiftr_div_pow2 by exact n_nonneg. apply Z.div_le_mono; [now apply Z.pow_pos_nonneg | nia]. }
  pose proof (M _ _ (Z.le_min_l (falls a) (falls b))). pose proof (M _ _ (Z.le_min_r (falls a) (falls b))). lia.
Qed.
End Units.
