(** * Uniform noise on a grid

    Every one of the n points from z on has the chance 1/n. A step of z to z + 1 gives up the point z and takes in the point
    z + n, so a test changes by at most 1/n; k steps change it by at most k/n, and no test changes by more than 1. *)
From Coq Require Import Reals Lra Lia List ZArith.
From DPcore Require Import Distributions Indistinguishability Measures Metrics Norms Combinators Laplace.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

Fixpoint points (k : nat) (z : Z) : list Z := match k with O => [] | S k => z :: points k (z + 1) end.

Lemma points_step (f : Z -> R) k : forall z, sum f (points k z) + f (z + Z.of_nat k)%Z = f z + sum f (points k (z + 1)).
Proof.
  induction k as [|k IH]; intros z; [simpl; rewrite Z.add_0_r; ring|]. specialize (IH (z + 1)%Z).
  replace (z + 1 + Z.of_nat k)%Z with (z + Z.of_nat (S k))%Z in IH by lia.
  change (f z + sum f (points k (z + 1)) + f (z + Z.of_nat (S k))%Z = f z + (f (z + 1)%Z + sum f (points k (z + 1 + 1)))).
  lra.
Qed.

Section Points.
Variable n : positive.
Let share := / IZR (Zpos n).

Lemma share_pos : 0 < share. Proof. apply Rinv_0_lt_compat, (IZR_lt 0); lia. Qed.
Lemma share_total z : sum (fun _ => share) (points (Pos.to_nat n) z) = 1.
Proof.
  assert (L : forall k z, length (points k z) = k) by (induction k; intros; simpl; auto).
  rewrite sum_const, L, INR_IZR_INZ, positive_nat_Z. unfold share. field. apply not_0_IZR; lia.
Qed.

(** One of the n points from z on. *)
Definition uniform_from (z : Z) : dist Z :=
  choose (fun _ => share) (points (Pos.to_nat n) z) (fun _ => Rlt_le _ _ share_pos) (share_total z).

Lemma uniform_step z f : test f -> Rabs (uniform_from z f - uniform_from (z + 1) f) <= share.
Proof.
  intros F. assert (X : forall z, uniform_from z f = share * sum f (points (Pos.to_nat n) z)) by (intros; exact (sum_scale share f _)).
  rewrite !X. pose proof (points_step f (Pos.to_nat n) z) as E. pose proof share_pos.
  pose proof (F z). pose proof (F (z + Z.of_nat (Pos.to_nat n))%Z).
  set (s := sum f (points _ z)) in *. set (t := sum f (points _ (z + 1))) in *.
  replace (share * s - share * t) with (share * (f z - f (z + Z.of_nat (Pos.to_nat n))%Z))
    by (rewrite <- Rmult_minus_distr_l; apply f_equal; lra).
  rewrite Rabs_mult, (Rabs_pos_eq share) by lra. rewrite <- (Rmult_1_r share) at 2. apply Rmult_le_compat_l; [lra|].
  apply Rabs_le; lra.
Qed.

Lemma uniform_steps k z f : test f -> Rabs (uniform_from z f - uniform_from (z + Z.of_nat k) f) <= INR k * share.
Proof.
  intros F. induction k as [|k IH].
  - rewrite Z.add_0_r, Rminus_diag_eq, Rabs_R0 by reflexivity. simpl; lra.
  - rewrite S_INR. pose proof (uniform_step (z + Z.of_nat k) F) as T.
    replace (z + Z.of_nat k + 1)%Z with (z + Z.of_nat (S k))%Z in T by lia.
    pose proof (R_dist_tri (uniform_from z f) (uniform_from (z + Z.of_nat (S k)) f) (uniform_from (z + Z.of_nat k) f)).
    unfold R_dist in *. lra.
Qed.

Theorem uniform_from_private g (G : 0 < g) :
  private (absolute g) total_variation uniform_from (fun d => Rmin 1 (d / (g * IZR (Zpos n)))).
Proof.
  intros d x y D f F. rewrite exp_0, Rmult_1_l. pose proof share_pos as H.
  assert (N : 0 < IZR (Zpos n)) by (apply (IZR_lt 0); lia).
  assert (K : Rabs (uniform_from x f - uniform_from y f) <= INR (Z.abs_nat (y - x)) * share).
  { destruct (Z.le_ge_cases x y) as [L|L].
    - replace y with (x + Z.of_nat (Z.abs_nat (y - x)))%Z at 1 by lia. now apply uniform_steps.
    - rewrite Rabs_minus_sym. replace x with (y + Z.of_nat (Z.abs_nat (y - x)))%Z at 1 by lia. now apply uniform_steps. }
  assert (E : INR (Z.abs_nat (y - x)) * share <= d / (g * IZR (Zpos n))).
  { simpl in D. rewrite Rabs_mult, (Rabs_pos_eq g), <- minus_IZR in D by lra.
    rewrite INR_IZR_INZ, Zabs2Nat.id_abs, abs_IZR. unfold share.
    apply Rmult_le_reg_r with (g * IZR (Zpos n)); [now apply Rmult_lt_0_compat|]. unfold Rdiv.
    replace (d * / (g * IZR (Zpos n)) * (g * IZR (Zpos n))) with d by (field; lra).
    replace (Rabs (IZR (y - x)) * / IZR (Zpos n) * (g * IZR (Zpos n))) with (g * Rabs (IZR (y - x))) by (field; lra). exact D. }
  assert (U : 0 <= uniform_from y f /\ uniform_from x f <= 1) by (split; now apply expect_test).
  pose proof (Rle_abs (uniform_from x f - uniform_from y f)). apply Rmin_case; lra.
Qed.
End Points.

(** ** On vectors: independent noise on each coordinate, whose losses add up *)
Lemma each_coordinate (noise : Z -> dist Z) g w : 0 < g -> 0 < w ->
  private (absolute g) total_variation noise (fun d => Rmin 1 (d / (g * w))) ->
  private (l1 g) total_variation (noisy noise) (fun d => Rmin 1 (d / (g * w))).
Proof.
  intros G W P d x y [Len H]. set (l := fun a b => Rabs (g * (IZR b - IZR a)) / (g * w)).
  assert (C : forall a b, total_variation (noise a) (noise b) (l a b)).
  { intros a b. apply div_le with (2 := P _ a b (Rle_refl _)). apply Rmin_r. }
  pose proof (@noisy_close _ _ total_variation _ _ noise l x y C Len) as N.
  assert (E : plus_all (map (fun p => l (fst p) (snd p)) (combine x y)) <= d / (g * w)).
  { rewrite plus_all_sum, sum_map.
    rewrite (sum_ext _ (fun p => / (g * w) * Rabs (g * (IZR (snd p) - IZR (fst p))))) by (intros; unfold l, Rdiv; ring).
    rewrite sum_scale. unfold norm1, moves in H. rewrite sum_map in H. unfold Rdiv. rewrite Rmult_comm.
    apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; nra | exact H]. }
  apply Rmin_case; [|exact (div_le (ms := total_variation) _ _ _ _ E N)].
  intros f F. rewrite exp_0, Rmult_1_l. pose proof (expect_test (noisy noise x) F). pose proof (expect_test (noisy noise y) F). lra.
Qed.

(** ** The noise reaches [r] steps either way. The distances are in units; a grid step is [g] of them. *)
Definition uniformly (r : positive) (z : Z) : dist Z := uniform_from (2 * r + 1) (z - Zpos r).

Theorem uniform_noise r g : 0 < g ->
  private (absolute g) total_variation (uniformly r) (fun d => Rmin 1 (d / (g * IZR (Zpos (2 * r + 1))))) /\
  private (l1 g) total_variation (noisy (uniformly r)) (fun d => Rmin 1 (d / (g * IZR (Zpos (2 * r + 1))))).
Proof.
  intros G. assert (P : private (absolute g) total_variation (uniformly r) (fun d => Rmin 1 (d / (g * IZR (Zpos (2 * r + 1)))))).
  { intros d x y D. apply (uniform_from_private (2 * r + 1) G). simpl in *. rewrite !minus_IZR.
    now replace (IZR y - IZR (Zpos r) - (IZR x - IZR (Zpos r))) with (IZR y - IZR x) by ring. }
  split; [exact P | apply each_coordinate; [exact G | apply (IZR_lt 0); lia | exact P]].
Qed.

(** It goes no further, surely. *)
Theorem uniform_noise_within r z f : (forall k, (Z.abs (k - z) <= Zpos r)%Z -> f k = 1) -> uniformly r z f = 1.
Proof.
  intros H. rewrite <- (share_total (2 * r + 1) (z - Zpos r)).
  apply (@sum_ext Z (fun k => / IZR (Zpos (2 * r + 1)) * f k)). intros c I. rewrite H; [ring|].
  assert (L : forall k a, In c (points k a) -> (a <= c < a + Z.of_nat k)%Z).
  { induction k as [|k IH]; simpl; intros a J; [tauto|]. destruct J as [->|J]; [lia|]. apply IH in J. lia. }
  apply L in I. rewrite positive_nat_Z in I. lia.
Qed.
