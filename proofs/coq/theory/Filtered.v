(** * What is left, by a filter, of rows that were replaced

    A row replaced may leave one row out, bring one in, or both. So of d replaced rows at most d leave and at most d enter,
    which is more than is known of data sets 2d apart. *)
From Coq Require Import Reals Lra Psatz Lia List Permutation ZArith.
From DPcore Require Import Distributions Measures Metrics Norms Totals RowStability Sums Histograms.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

(** At most [d] rows leave, and at most [d] enter. *)
Definition moved {T} : metric (list T).
Proof.
  refine {| within := fun d x y => exists l r, differ x y l r /\ INR (length l) <= d /\ INR (length r) <= d |}.
  - intros d x y (l & r & (c & H & K) & E & F). exists r, l. split; [now exists c | now split].
  - intros d x y (l & r & _ & E & _). pose proof (pos_INR (length l)). lra.
  - intros d d' x y H (l & r & D & E & F). exists l, r; repeat split; auto; lra.
Defined.

(** The same of data sets of which it is known that they are [d] rows apart: no more than half of these leave, or enter. *)
Definition halves {T} : metric (list T).
Proof.
  refine {| within := fun d x y => @moved T (d / 2) x y |}.
  - intros d x y D. exact (within_sym moved _ _ _ D).
  - intros d x y D. pose proof (within_nonneg moved _ _ _ D). lra.
  - intros d d' x y H D. apply (within_le moved) with (2 := D). lra.
Defined.

Lemma moved_of_change_one T d (x y : list T) : change_one d x y -> moved d x y.
Proof. intros (l & r & D & E & F). exists l, r. rewrite <- E. auto. Qed.

Lemma somes_moved T U (f : T -> option U) : stable moved moved (fun d => d) (somes f).
Proof.
  intros d x y (l & r & D & E & F). exists (somes f l), (somes f r). split; [now apply differ_flat_map|].
  pose proof (length_flat_map_le _ l (at_most_one f)) as L. pose proof (length_flat_map_le _ r (at_most_one f)) as R.
  rewrite Nat.mul_1_l in L, R. apply le_INR in L, R. unfold somes. split; lra.
Qed.
Lemma filter_moved T (p : T -> bool) : stable moved moved (fun d => d) (filter p).
Proof. intros d x y D. rewrite !filter_somes. now apply somes_moved. Qed.
Lemma map_moved T U (f : T -> U) : stable moved moved (fun d => d) (map f).
Proof. intros d x y D. rewrite !map_somes. now apply somes_moved. Qed.

(** Rows that leave or enter alone are replaced by, or replace, rows that bring nothing. *)
Definition lifted {T} (q : T -> Z) (o : option T) : Z := match o with Some r => q r | None => 0%Z end.
Definition padded {T} (n : nat) (l : list T) : list (option T) := map Some l ++ repeat None (n - length l).

Lemma total_padded T (q : T -> Z) n l : total (lifted q) (padded n l) = total q l.
Proof.
  unfold padded. rewrite total_app. assert (N : forall k, total (lifted q) (repeat None k) = 0%Z) by (induction k; simpl; lia).
  rewrite N, Z.add_0_r. induction l as [|r l IH]; [reflexivity|]. unfold total in *. simpl. now rewrite IH.
Qed.
Lemma length_padded T n (l : list T) : (length l <= n)%nat -> length (padded n l) = n.
Proof. intros H. unfold padded. rewrite app_length, map_length, repeat_length. lia. Qed.

Lemma totals_moved N (S : seminorm N) T (ok : T -> Prop) g (qs : list (T -> Z)) B d x y : 0 <= B ->
  (forall a b, ok a -> ok b -> N (change g qs a b) <= B) -> (forall r, ok r -> N (column g qs r) <= B) ->
  on (Forall ok) moved d x y -> N (moves g (totals qs x) (totals qs y)) <= d * B.
Proof.
  intros HB H K (X & Y & l & r & D & E & F). rewrite (moves_totals g qs D). destruct (differ_ok D X Y) as [Ol Or].
  set (n := Nat.max (length l) (length r)). set (okO := fun o : option T => match o with Some r => ok r | None => True end).
  assert (Pad : forall k, Forall ok k -> Forall okO (padded n k)).
  { intros k A. apply Forall_app; split; [apply Forall_map; exact A | apply Forall_forall; intros o I; apply repeat_spec in I; now subst]. }
  assert (C : forall a b, okO a -> okO b -> N (change g (map lifted qs) a b) <= B).
  { intros [a|] [b|] A A'; unfold change; rewrite map_map; simpl.
    - now apply H.
    - rewrite (map_ext _ (fun q => - (g * IZR (q a)))) by (intros; ring).
      rewrite <- (map_map (fun q => g * IZR (q a)) Ropp), (semi_opp S). now apply K.
    - rewrite (map_ext _ (fun q => g * IZR (q b))) by (intros; ring). now apply K.
    - rewrite (map_ext _ (fun _ => 0)) by (intros; ring). now rewrite (semi_null S). }
  assert (P := @replaced N S (option T) okO g (map lifted qs) B (padded n l) (padded n r) C (Pad l Ol) (Pad r Or)).
  rewrite !length_padded in P by lia. specialize (P eq_refl). rewrite map_map in P.
  rewrite (map_ext (fun q => g * (IZR (total (lifted q) (padded n r)) - IZR (total (lifted q) (padded n l))))
    (fun q => g * (IZR (total q r) - IZR (total q l)))) in P by (intros; now rewrite !total_padded).
  assert (L : INR n <= d) by (unfold n; destruct (Nat.max_spec (length l) (length r)) as [[_ ->]|[_ ->]]; assumption).
  eapply Rle_trans; [exact P|]. apply Rmult_le_compat_r; assumption.
Qed.

(** ** The steps of which more is known so *)
Theorem count_filtered T : stable (@moved T) (absolute 1) (fun d => d) count.
Proof.
  intros d x y D. rewrite !count_total. apply absolute_of_total. replace d with (d * 1) by ring.
  eapply (totals_moved semi_norm1); [lra | | | exact (everywhere _ _ _ _ D)].
  - intros a b _ _; unfold norm1; simpl. replace (1 * (1 - 1)) with 0 by ring. rewrite Rabs_R0; lra.
  - intros r _; unfold norm1; simpl. rewrite Rmult_1_l, Rabs_R1; lra.
Qed.

Theorem sum_filtered g low high : low <= high ->
  stable (on (Forall (between g low high)) moved) (absolute g) (fun d => d * Rmax (high - low) (Rmax (Rabs low) (Rabs high))) sum_rows.
Proof.
  intros L d x y D. apply absolute_of_total. set (B := Rmax (high - low) _).
  assert (B1 : high - low <= B) by apply Rmax_l. assert (B2 : Rmax (Rabs low) (Rabs high) <= B) by apply Rmax_r.
  pose proof (Rmax_l (Rabs low) (Rabs high)). pose proof (Rmax_r (Rabs low) (Rabs high)). pose proof (Rabs_pos low).
  eapply (totals_moved semi_norm1); [lra | | | exact D].
  - intros a b [A1 A2] [C1 C2]; unfold norm1; simpl. rewrite Rplus_0_r, Rmult_minus_distr_l. apply Rabs_le; lra.
  - intros z [Z1 Z2]; unfold norm1; simpl. rewrite Rplus_0_r. apply Rabs_le.
    pose proof (Rle_abs high). pose proof (Rle_abs (- low)) as K. rewrite Rabs_Ropp in K. lra.
Qed.

Section Histogram.
Variables (T B : Type) (eqB : forall a b : B, {a = b} + {a <> b}) (key : T -> B) (bins : list B).

Theorem histogram_linf_filtered : stable moved (linf 1) (fun d => d) (histogram eqB key bins).
Proof.
  intros d x y D; split; [apply histogram_length|]. rewrite <- (Rmult_1_r d).
  apply (totals_moved semi_norm_inf) with (4 := everywhere _ _ _ _ D); [lra | intros; apply change_norm_inf|].
  intros r _. rewrite column_bins. apply norm_inf_le; split; [lra|]. intros a I. apply in_map_iff in I. destruct I as (b & <- & _).
  apply Rabs_le. destruct (falls_01 eqB key b r); lra.
Qed.

Theorem histogram_l2_filtered : NoDup bins -> stable moved (l2 1) (fun d => 2 * d * d) (histogram eqB key bins).
Proof.
  intros disjoint d x y D; split; [apply histogram_length|]. pose proof (within_nonneg _ _ _ _ D).
  replace (2 * d * d) with (d * sqrt 2 * (d * sqrt 2)) by (rewrite <- (sqrt_sqrt 2) at 3 by lra; ring).
  pose proof (sqrt_pos 2). apply norm2_le_square; [nra|].
  apply (totals_moved semi_norm2) with (4 := everywhere _ _ _ _ D); [lra | |].
  - intros. apply sqrt_le_1_alt, change_norm2, disjoint.
  - intros r _. apply sqrt_le_1_alt. apply Rle_trans with 1; [|lra]. rewrite column_bins. unfold norm2_squared. rewrite sum_map.
    eapply Rle_trans; [|apply (falls_once eqB key disjoint r)]. apply sum_le. intros b _.
    destruct (falls_01 eqB key b r) as [->| ->]; lra.
Qed.

(** A single bin: what moves it moves it one way. *)
Hypothesis one : length bins = 1%nat.

Lemma one_bin d x y : linf 1 d (histogram eqB key bins x) (histogram eqB key bins y) ->
  l1 1 d (histogram eqB key bins x) (histogram eqB key bins y) /\ l2 1 (d * d) (histogram eqB key bins x) (histogram eqB key bins y).
Proof.
  intros D. assert (L : forall z, length (histogram eqB key bins z) = 1%nat) by (intros; unfold histogram, totals, tallies; now rewrite !map_length).
  assert (O : on (fun v => length v = 1%nat) (linf 1) d (histogram eqB key bins x) (histogram eqB key bins y)) by (repeat split; auto; apply D).
  split; [pose proof (linf_to_l1 O) as K | pose proof (linf_to_l2 O) as K]; cbv beta in K; change (INR 1) with 1 in K; now rewrite Rmult_1_l in K.
Qed.

(** In L1, LInf and the range. *)
Theorem histogram_one_bin_filtered :
  stable moved (l1 1) (fun d => d) (histogram eqB key bins) /\
  stable moved (linf 1) (fun d => d) (histogram eqB key bins) /\
  stable moved (range_distance 1) (fun d => d) (histogram eqB key bins).
Proof.
  assert (H : stable moved (l1 1) (fun d => d) (histogram eqB key bins)) by (intros d x y D; now apply one_bin, histogram_linf_filtered).
  split; [exact H|]. split; [apply histogram_linf_filtered|]. intros d x y D. apply l1_to_range. now apply H.
Qed.

Theorem histogram_one_bin_l2_filtered : stable moved (l2 1) (fun d => d * d) (histogram eqB key bins).
Proof. intros d x y D. now apply one_bin, histogram_linf_filtered. Qed.

(** In L1, LInf and the range. *)
Theorem histogram_one_bin_change_one :
  stable change_one (l1 1) (fun d => d) (histogram eqB key bins) /\
  stable change_one (linf 1) (fun d => d) (histogram eqB key bins) /\
  stable change_one (range_distance 1) (fun d => d) (histogram eqB key bins).
Proof.
  destruct histogram_one_bin_filtered as (H1 & H2 & H3).
  split; [|split]; intros d x y D; apply moved_of_change_one in D; [exact (H1 _ _ _ D) | exact (H2 _ _ _ D) | exact (H3 _ _ _ D)].
Qed.

Theorem histogram_one_bin_l2_change_one : stable change_one (l2 1) (fun d => d * d) (histogram eqB key bins).
Proof. intros d x y D. now apply histogram_one_bin_l2_filtered, moved_of_change_one. Qed.
End Histogram.

Section Quantiles.
Variables (T : Type) (value : T -> R) (candidates : list R) (a b : Z).
Hypothesis level : (0 <= a <= b)%Z.

Theorem quantile_scores_filtered : stable moved (linf 1) (fun d => d * IZR b) (quantile_scores value candidates a b).
Proof.
  intros d x y D. apply scores_linf.
  assert (0 <= IZR a /\ 0 <= IZR (b - a)) as [A0 B0] by (split; apply IZR_le; lia). rewrite minus_IZR in B0.
  apply (totals_moved semi_norm_inf) with (4 := everywhere _ _ _ _ D); [lra | |].
  - intros r r' _ _. apply norm_inf_le; split; [lra|]. unfold change. rewrite map_map. intros u I. apply in_map_iff in I.
    destruct I as (c & <- & _). unfold weigh. rewrite Rmult_1_l, !minus_IZR.
    destruct (Rlt_dec (value r) c), (Rlt_dec c (value r)), (Rlt_dec (value r') c), (Rlt_dec c (value r'));
    rewrite ?minus_IZR; apply Rabs_le; lra.
  - intros r _. apply norm_inf_le; split; [lra|]. unfold column. rewrite map_map. intros u I. apply in_map_iff in I.
    destruct I as (c & <- & _). unfold weigh. rewrite Rmult_1_l, minus_IZR.
    destruct (Rlt_dec _ _), (Rlt_dec _ _); rewrite ?minus_IZR; apply Rabs_le; lra.
Qed.
End Quantiles.
