(** * Histograms over disjoint bins, and the scores of quantiles

    [key] says in which bin a row falls; rows that fall in none of the [bins] are not counted. *)
From Coq Require Import Reals Lra Psatz Lia List Permutation ZArith.
From DPcore Require Import Distributions Measures Metrics Norms Totals.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

Section Histogram.
Variables (T B : Type) (eqB : forall a b : B, {a = b} + {a <> b}) (key : T -> B) (bins : list B).
Hypothesis disjoint : NoDup bins.

Definition falls (b : B) (r : T) : Z := if eqB (key r) b then 1%Z else 0%Z.
Definition tallies : list (T -> Z) := map falls bins.
Definition histogram (x : list T) : list Z := totals tallies x.

Lemma histogram_length x y : length (histogram x) = length (histogram y).
Proof. unfold histogram, totals; now rewrite !map_length. Qed.

(** A row falls into at most one bin. *)
Lemma falls_once r : sum (fun b => IZR (falls b r)) bins <= 1.
Proof.
  assert (G : forall bs, NoDup bs -> 0 <= sum (fun b => IZR (falls b r)) bs <= 1 /\
    (~ In (key r) bs -> sum (fun b => IZR (falls b r)) bs = 0)).
  { induction bs as [|b bs IH]; intros ND; simpl; [split; [split; lra | reflexivity]|]. inversion ND; subst.
    destruct (IH H2) as [I1 I2]. set (s := sum (fun b => IZR (falls b r)) bs) in *. unfold falls.
    destruct (eqB (key r) b) as [E|E].
    - subst b. rewrite (I2 H1). split; [split; lra | tauto].
    - split; [split; lra | intros N; rewrite I2 by tauto; lra]. }
  apply G, disjoint.
Qed.

Lemma falls_01 b r : IZR (falls b r) = 0 \/ IZR (falls b r) = 1.
Proof. unfold falls; destruct (eqB (key r) b); auto. Qed.

Lemma column_bins r : column 1 tallies r = map (fun b => IZR (falls b r)) bins.
Proof. unfold column, tallies; rewrite map_map. apply map_ext; intros; ring. Qed.
Lemma change_bins r r' : change 1 tallies r r' = map (fun b => IZR (falls b r') - IZR (falls b r)) bins.
Proof. unfold change, tallies; rewrite map_map. apply map_ext; intros; ring. Qed.

Lemma column_norm1 r : norm1 (column 1 tallies r) <= 1.
Proof.
  rewrite column_bins; unfold norm1; rewrite sum_map. eapply Rle_trans; [|apply (falls_once r)].
  apply sum_le; intros b _. destruct (falls_01 b r) as [->| ->]; [rewrite Rabs_R0 | rewrite Rabs_R1]; lra.
Qed.

(** The sum over all bins of how much two rows fall there. *)
Lemma two_rows (h : B -> R) r r' : (forall b, h b <= IZR (falls b r') + IZR (falls b r)) -> sum h bins <= 2.
Proof.
  intros H. apply Rle_trans with (sum (fun b => IZR (falls b r') + IZR (falls b r)) bins); [apply sum_le; auto|].
  rewrite sum_plus. pose proof (falls_once r). pose proof (falls_once r'). lra.
Qed.

Lemma change_norm1 r r' : norm1 (change 1 tallies r r') <= 2.
Proof.
  rewrite change_bins; unfold norm1; rewrite sum_map. apply two_rows with r r'. intros b. apply Rabs_le.
  destruct (falls_01 b r), (falls_01 b r'); lra.
Qed.

Lemma change_norm2 r r' : norm2_squared (change 1 tallies r r') <= 2.
Proof.
  rewrite change_bins; unfold norm2_squared; rewrite sum_map. apply two_rows with r r'. intros b.
  destruct (falls_01 b r) as [->| ->], (falls_01 b r') as [->| ->]; lra.
Qed.

Lemma change_norm_inf r r' : norm_inf (change 1 tallies r r') <= 1.
Proof.
  rewrite change_bins. apply norm_inf_le; split; [lra|]. intros a I. apply in_map_iff in I. destruct I as (b & <- & _).
  apply Rabs_le. destruct (falls_01 b r), (falls_01 b r'); lra.
Qed.

Lemma histogram_l1 : stable symmetric (l1 1) (fun d => d) histogram.
Proof.
  intros d x y D; split; [apply histogram_length|]. rewrite <- (Rmult_1_r d).
  apply (totals_symmetric semi_norm1) with (3 := everywhere _ _ _ _ D); [lra | intros; apply column_norm1].
Qed.

(** In L1, LInf and the range. *)
Theorem histogram_symmetric :
  stable symmetric (l1 1) (fun d => d) histogram /\
  stable symmetric (linf 1) (fun d => d) histogram /\
  stable symmetric (range_distance 1) (fun d => d) histogram.
Proof.
  repeat split; intros; try apply histogram_length; apply histogram_l1 in H;
  [apply H | apply (l1_to_linf H) | apply (l1_to_range H)].
Qed.

Theorem histogram_l2_symmetric : stable symmetric (l2 1) (fun d => d * d) histogram.
Proof. intros d x y D. exact (l1_to_l2 (histogram_l1 D)). Qed.

(** In L1 and the range. *)
Theorem histogram_l1_change_one :
  stable change_one (l1 1) (fun d => 2 * d) histogram /\ stable change_one (range_distance 1) (fun d => 2 * d) histogram.
Proof.
  assert (H : stable change_one (l1 1) (fun d => 2 * d) histogram); [|split; [exact H | intros d x y D;
    exact (l1_to_range (H _ _ _ D))]].
  intros d x y D; split; [apply histogram_length|]. rewrite Rmult_comm.
  apply (totals_change_one semi_norm1) with (3 := everywhere _ _ _ _ D); [lra | intros; apply change_norm1].
Qed.

Theorem histogram_l2_change_one : stable change_one (l2 1) (fun d => 2 * d * d) histogram.
Proof.
  intros d x y D; split; [apply histogram_length|]. pose proof (within_nonneg _ _ _ _ D).
  replace (2 * d * d) with (d * sqrt 2 * (d * sqrt 2)) by (rewrite <- (sqrt_sqrt 2) at 3 by lra; ring).
  pose proof (sqrt_pos 2). apply norm2_le_square; [nra|].
  apply (totals_change_one semi_norm2) with (3 := everywhere _ _ _ _ D); [lra|].
  intros. apply sqrt_le_1_alt, change_norm2.
Qed.

Theorem histogram_linf_change_one : stable change_one (linf 1) (fun d => d) histogram.
Proof.
  intros d x y D; split; [apply histogram_length|]. rewrite <- (Rmult_1_r d).
  apply (totals_change_one semi_norm_inf) with (3 := everywhere _ _ _ _ D); [lra | intros; apply change_norm_inf].
Qed.
End Histogram.

(** ** The scores of candidates for the a/b-quantile

    [- |(b - a) #{rows < c} - a #{rows > c}|] for each candidate [c]. Rows are compared with candidates as real numbers. *)
Section Quantiles.
Variables (T : Type) (value : T -> R) (candidates : list R) (a b : Z).
Hypothesis level : (0 <= a <= b)%Z.

Definition weigh (c : R) (r : T) : Z :=
  ((if Rlt_dec (value r) c then b - a else 0) - (if Rlt_dec c (value r) then a else 0))%Z.
Definition quantile_scores (x : list T) : list Z := map (fun z => - Z.abs z)%Z (totals (map weigh candidates) x).

(** The weight is the difference of the two counts. *)
Theorem weigh_counts c x : total (weigh c) x =
  ((b - a) * total (fun r => if Rlt_dec (value r) c then 1 else 0) x -
   a * total (fun r => if Rlt_dec c (value r) then 1 else 0) x)%Z.
Proof. induction x as [|r x IH]; simpl; [lia|]. rewrite IH. unfold weigh. destruct (Rlt_dec _ _), (Rlt_dec _ _); lia. Qed.

(** Minus the absolute value moves no further than the value itself. *)
Lemma scores_linf d x y : norm_inf (moves 1 (totals (map weigh candidates) x) (totals (map weigh candidates) y)) <= d ->
  linf 1 d (quantile_scores x) (quantile_scores y).
Proof.
  intros H. split; [unfold quantile_scores, totals; now rewrite !map_length|].
  apply norm_inf_le in H. destruct H as [Hd H]. apply norm_inf_le; split; [exact Hd|].
  intros u I. unfold quantile_scores, totals in *. rewrite !map_map in *. rewrite moves_map in *.
  apply in_map_iff in I. destruct I as (c & <- & I).
  specialize (H _ (in_map (fun c => 1 * (IZR (total (weigh c) y) - IZR (total (weigh c) x))) _ _ I)).
  rewrite Rmult_1_l in *. rewrite <- minus_IZR, <- abs_IZR in *. eapply Rle_trans; [apply IZR_le | exact H]. lia.
Qed.

Theorem quantile_scores_symmetric : stable symmetric (linf 1) (fun d => d * Rmax (IZR a) (IZR (b - a))) quantile_scores.
Proof.
  intros d x y D. apply scores_linf. pose proof (Rmax_l (IZR a) (IZR (b - a))). pose proof (Rmax_r (IZR a) (IZR (b - a))).
  assert (0 <= IZR a /\ 0 <= IZR (b - a)) as [A0 B0] by (split; apply IZR_le; lia).
  apply (totals_symmetric semi_norm_inf) with (3 := everywhere _ _ _ _ D); [lra|]. intros r _.
  apply norm_inf_le; split; [lra|]. unfold column. rewrite map_map. intros u I. apply in_map_iff in I.
  destruct I as (c & <- & _).
  unfold weigh. rewrite Rmult_1_l, minus_IZR. destruct (Rlt_dec _ _), (Rlt_dec _ _); apply Rabs_le; lra.
Qed.

Theorem quantile_scores_change_one : stable change_one (linf 1) (fun d => d * IZR b) quantile_scores.
Proof.
  intros d x y D. apply scores_linf.
  assert (0 <= IZR a /\ 0 <= IZR (b - a)) as [A0 B0] by (split; apply IZR_le; lia). rewrite minus_IZR in B0.
  apply (totals_change_one semi_norm_inf) with (3 := everywhere _ _ _ _ D); [lra|]. intros r r' _ _.
  apply norm_inf_le; split; [lra|]. unfold change. rewrite map_map. intros u I. apply in_map_iff in I.
  destruct I as (c & <- & _).
  unfold weigh. rewrite Rmult_1_l, !minus_IZR.
  destruct (Rlt_dec (value r) c), (Rlt_dec c (value r)), (Rlt_dec (value r') c), (Rlt_dec c (value r'));
  rewrite ?minus_IZR; apply Rabs_le; lra.
Qed.
End Quantiles.
