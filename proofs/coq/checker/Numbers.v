(** * Rational bounds of what is not rational

    A bound may be found by any computation; what is proved is that it is checked. *)
From Coq Require Import ZArith QArith Qround Qreals Qabs Reals Lra Lia Psatz List.
Import ListNotations.
Open Scope R_scope.
#[global] Arguments Q2R : simpl never.
#[global] Arguments Qred : simpl never.
#[global] Arguments Qmult : simpl never.
#[global] Arguments Qplus : simpl never.
#[global] Arguments Qdiv : simpl never.
#[global] Arguments Qle_bool : simpl never.
#[global] Arguments Qeq_bool : simpl never.

Lemma Q2R_red q : Q2R (Qred q) = Q2R q. Proof. apply Qeq_eqR, Qred_correct. Qed.
Lemma Q2R_0 : Q2R 0 = 0. Proof. unfold Q2R; simpl; lra. Qed.
Lemma Q2R_1 : Q2R 1 = 1. Proof. unfold Q2R; simpl; lra. Qed.
Lemma Q2R_Z z : Q2R (inject_Z z) = IZR z. Proof. unfold Q2R; simpl; field. Qed.
Lemma Q2R_pos p : Q2R (Zpos p # 1) = IZR (Zpos p). Proof. unfold Q2R; simpl; field. Qed.
Lemma Qle_R a b : Qle_bool a b = true -> Q2R a <= Q2R b. Proof. intros H; apply Qle_Rle, Qle_bool_iff, H. Qed.
Lemma Qgt_R a b : Qle_bool a b = false -> Q2R b < Q2R a.
Proof. intros H; apply Qlt_Rlt, Qnot_le_lt. intros K; apply Qle_bool_iff in K; congruence. Qed.
Lemma Qnonzero_R q : 0 < Q2R q -> ~ (q == 0)%Q.
Proof. intros H K; apply Qeq_eqR in K; rewrite Q2R_0 in K; lra. Qed.

Definition Qmax (a b : Q) : Q := if Qle_bool a b then b else a.
Lemma Q2R_max a b : Q2R (Qmax a b) = Rmax (Q2R a) (Q2R b).
Proof.
  unfold Qmax; destruct (Qle_bool a b) eqn:E; [apply Qle_R in E; now rewrite Rmax_right|].
  apply Qgt_R in E; rewrite Rmax_left; lra.
Qed.
Definition Qmax0 (a : Q) : Q := Qmax 0 a.
Definition Qmin (a b : Q) : Q := if Qle_bool a b then a else b.
Lemma Q2R_min a b : Q2R (Qmin a b) = Rmin (Q2R a) (Q2R b).
Proof.
  unfold Qmin; destruct (Qle_bool a b) eqn:E; [apply Qle_R in E; now rewrite Rmin_left|].
  apply Qgt_R in E; rewrite Rmin_right; lra.
Qed.
Lemma Qmax0_nonneg a : 0 <= Q2R (Qmax0 a).
Proof. unfold Qmax0. rewrite Q2R_max, Q2R_0. apply Rmax_l. Qed.
Lemma Qmax0_ge a : Q2R a <= Q2R (Qmax0 a).
Proof. unfold Qmax0. rewrite Q2R_max. apply Rmax_r. Qed.
Definition Qmax_abs (a b : Q) : Q := Qmax (Qabs a) (Qabs b).
Lemma Q2R_abs q : Q2R (Qabs q) = Rabs (Q2R q).
Proof.
  destruct q as [n d]. unfold Q2R, Qabs; simpl Qnum; simpl Qden. rewrite abs_IZR, Rabs_mult, (Rabs_pos_eq (/ _)); [reflexivity|].
  left; apply Rinv_0_lt_compat, IZR_lt; lia.
Qed.
Lemma Q2R_max_abs a b : Q2R (Qmax_abs a b) = Rmax (Rabs (Q2R a)) (Rabs (Q2R b)).
Proof. unfold Qmax_abs; now rewrite Q2R_max, !Q2R_abs. Qed.

(** ** Roots: guessed, and squared *)
Definition precision : Z := 144.

(** The root where it is rational; else 2^-n too much, for n = 144 and more where the number is small. *)
Definition root_guess (x : Q) : Q :=
  let x := Qred x in
  let p := Z.sqrt (Qnum x) in let q := Z.sqrt (Zpos (Qden x)) in
  if Z.eqb (p * p) (Qnum x) && Z.eqb (q * q) (Zpos (Qden x)) then (p # Z.to_pos q)%Q
  else let n := (precision + Z.max 0 (Z.log2 (Zpos (Qden x)) - Z.log2 (Qnum x)))%Z in
    (Z.sqrt (Z.shiftl (Qnum x) (2 * n) / Zpos (Qden x)) + 1 # Z.to_pos (Z.shiftl 1 n))%Q.

(** If the guess fails, which it does not, another bound: [x + 1]. *)
Definition root_above (x : Q) : Q :=
  let y := root_guess x in if Qle_bool 0 y && Qle_bool x (y * y) then y else Qmax0 (x + 1).

Lemma root_above_ok x : sqrt (Q2R x) <= Q2R (root_above x).
Proof.
  unfold root_above. destruct (Qle_bool 0 (root_guess x)) eqn:E; [destruct (Qle_bool x (root_guess x * root_guess x)) eqn:F|]; simpl.
  - apply Qle_R in E, F. rewrite Q2R_0 in E. rewrite Q2R_mult in F.
    rewrite <- (sqrt_Rsqr (Q2R (root_guess x))) by exact E. apply sqrt_le_1_alt. exact F.
  - clear E F. unfold Qmax0. rewrite Q2R_max, Q2R_plus, Q2R_0, Q2R_1.
    destruct (Rle_dec (Q2R x) 0) as [H|H]; [rewrite sqrt_neg_0 by exact H; apply Rmax_l|].
    eapply Rle_trans; [|apply Rmax_r]. pose proof (sqrt_sqrt (Q2R x) ltac:(lra)). pose proof (sqrt_pos (Q2R x)). nra.
  - clear E. unfold Qmax0. rewrite Q2R_max, Q2R_plus, Q2R_0, Q2R_1.
    destruct (Rle_dec (Q2R x) 0) as [H|H]; [rewrite sqrt_neg_0 by exact H; apply Rmax_l|].
    eapply Rle_trans; [|apply Rmax_r]. pose proof (sqrt_sqrt (Q2R x) ltac:(lra)). pose proof (sqrt_pos (Q2R x)). nra.
Qed.

Lemma floor_R q : IZR (Qfloor q) <= Q2R q < IZR (Qfloor q) + 1.
Proof.
  split; [rewrite <- Q2R_Z; apply Qle_Rle, Qfloor_le|].
  pose proof (Qlt_Rlt _ _ (Qlt_floor q)) as H. rewrite Q2R_Z, plus_IZR in H. exact H.
Qed.
Lemma ceiling_R q : Q2R q <= IZR (Qceiling q).
Proof. rewrite <- Q2R_Z; apply Qle_Rle, Qle_ceiling. Qed.

Lemma floor_unique r z : IZR z <= r < IZR z + 1 -> Int_part r = z.
Proof. intros H. unfold Int_part. rewrite <- (tech_up r (z + 1)); [lia | |]; rewrite plus_IZR; lra. Qed.
