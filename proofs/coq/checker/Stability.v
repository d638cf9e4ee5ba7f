(** * What [far] says is true *)
From Coq Require Import String List ZArith QArith Qround Qreals Reals Lra Lia Bool Permutation Psatz.
From DPcore Require Import Distributions Metrics Norms Totals Sums Histograms RowStability Partition Persons Resize Graphs GraphQueries Steps Filtered ManyQueries MarginalErrors.
From DPchecker Require Import Language Ordered Meaning Numbers Tables Distances Promises.
From DPchecker Require Export Facts.
From DPchecker Require Import Vectors.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.
Unset Strict Implicit.

Section Stability.
Variable I : interpretation.
Notation data := (data I).

Lemma Q2R_half : Q2R (1 # 2) = / 2.
Proof. unfold Q2R; simpl; field. Qed.
Lemma halves_of_moved T d (a b : list T) : moved d a b -> halves (2 * d) a b.
Proof. intros D. change (moved (2 * d / 2) a b). replace (2 * d / 2) with d by field. exact D. Qed.

Lemma clamp_between l h z : (l <= h)%Z -> (l <= clamp l h z <= h)%Z.
Proof. unfold clamp; lia. Qed.

(** ** Each rule *)
Ltac facts := try left; repeat match goal with
  | |- known (_ :: _) _ _ _ => apply Forall_cons
  | |- known [] _ _ _ => apply Forall_nil
  | |- Forall _ (_ :: _) => apply Forall_cons
  | |- Forall _ [] => apply Forall_nil
  | |- fact_holds (Measured _) _ _ _ => cbn [fact_holds apart step_rule]; try (split; [reflexivity|])
  | |- fact_holds (Of _) _ _ _ => cbn [fact_holds step_rule]; tauto || (split; reflexivity)
  | K : known ?fs _ _ _ |- Forall _ (sizes ?fs) => apply (sizes_map _ _ _ K); auto using map_length
  | K : known ?fs _ _ _ |- known (sizes ?fs) _ _ _ => apply (sizes_map _ _ _ K); auto using map_length
  | K : known ?fs _ _ _ |- Forall _ (dropped_rows _ ?fs) => exact (dropped_rows_ok _ _ _ _ K)
  | K : known ?fs _ _ _ |- Forall _ (of_rows ?fs) => exact (of_rows_ok _ _ _ K)
  | K : known ?fs _ _ _ |- known (of_rows ?fs) _ _ _ => exact (of_rows_ok _ _ _ K)
  end.

Lemma maps_ok r fs fs' f (g : list (row I) -> list (row I)) output :
  (forall D x, step_rule r (Rows D x) = Rows output (g x) :> data) ->
  (forall x, length (g x) = length x) ->
  stable symmetric symmetric (fun d => d) g -> stable change_one change_one (fun d => d) g -> stable Filtered.moved Filtered.moved (fun d => d) g ->
  (if has Symmetric fs then Some (Measured Symmetric :: Of output :: sizes fs ++ still_moved fs, Times 1) else
   if has ChangeOne fs then Some (Measured ChangeOne :: Of output :: sizes fs, Times 1) else None) = Some (fs', f) ->
  good I r fs fs' f.
Proof.
  intros R Len S C Mv H. destruct (has Symmetric fs) eqn:E1; [|destruct (has ChangeOne fs) eqn:E2; [|discriminate]];
  injection H as <- <-; (split; [exact nonneg_1|]); intros d x y Hd _ K; rewrite Times_1;
  [pose proof (has_ok E1 K) as A | pose proof (has_ok E2 K) as A];
  destruct (apart_rows A Logic.I) as (D & a & b & -> & ->); rewrite !R; destruct A as [_ A].
  - left. apply Forall_cons; [split; [reflexivity | now apply S]|]. apply Forall_cons; [split; reflexivity|]. apply known_app. split.
    + apply (sizes_map _ _ _ K); auto.
    + apply still_moved_ok with (1 := K). intros V. exact (Mv (d / 2) a b V).
  - facts; auto.
Qed.

(** A rule with one condition, about the metric. *)
Ltac reached A := let D := fresh "D" in let a := fresh "a" in let b := fresh "b" in
  destruct (apart_rows A Logic.I) as (D & a & b & -> & ->); destruct A as [_ A].
Ltac one m H := match type of H with (if ?c then _ else _) = _ => let E := fresh "Has" in destruct c eqn:E; [|discriminate];
  injection H as <- <-; split; [try exact nonneg_1; try exact nonneg_2 | intros d x y Hd _ K; rewrite ?Times_1, ?Times_2;
    pose proof (has_ok (m := m) E K) as A; reached A] end.
Ltac someone H := match type of H with match ?c with _ => _ end = _ => let E := fresh "Has" in destruct c as [who|] eqn:E; [|discriminate];
  injection H as <- <-; split; [exact nonneg_1 | intros d x y Hd _ K; rewrite ?Times_1;
    pose proof (person_ok E K) as A; reached A] end.

Ltac vec m H := match type of H with (if ?c then _ else _) = _ => let E := fresh "Has" in destruct c eqn:E; [|discriminate];
  injection H as <- <-; split; [cbn [nonneg_map]; rewrite ?Q2R_1, ?Q2R_Z; lra | intros d x y Hd _ K;
    pose proof (has_ok (m := m) E K) as A; let g := fresh "g" in let a := fresh "a" in let b := fresh "b" in
    destruct (apart_vectors A Logic.I) as (g & a & b & -> & ->); destruct A as [_ A];
    left; apply Forall_cons; [cbn [fact_holds apart at_r step_rule]; split; [reflexivity|] | apply (lengths_same _ K)]] end.

Lemma floor_clamped g low high q : (0 < Q2R g) -> (Qceiling (low / g) <= Qfloor (high / g))%Z ->
  between (Q2R g) (Q2R low) (Q2R high) (clamp (Qceiling (low / g)) (Qfloor (high / g)) (steps g q)).
Proof.
  intros G L. pose proof (clamp_between (steps g q) L) as [H1 H2]. apply IZR_le in H1, H2.
  pose proof (ceiling_R (low / g)) as C. pose proof (floor_R (high / g)) as [F _].
  rewrite Q2R_div in C, F by now apply Qnonzero_R. unfold between. set (z := IZR (clamp _ _ _)) in *. set (r := Q2R g) in *.
  assert (Q2R low / r * r = Q2R low) by (field; lra). assert (Q2R high / r * r = Q2R high) by (field; lra). nra.
Qed.

(** A sum, as a rule: either both have no sum, or both lie on the grid of their domain. *)
Lemma sum_known (m : from) low high D a b (P : R -> Prop) :
  let out x := step_rule (Sum m low high) (Rows D x : data) in
  (forall g, 0 < Q2R g -> Q2R low <= Q2R high ->
    (forall q, between (Q2R g) (Q2R low) (Q2R high) (clamp (Qceiling (low / g)) (Qfloor (high / g)) (steps g q))) ->
    exists d, P d /\ absolute (Q2R g) d
      (sum_rows (map (fun r => clamp (Qceiling (low / g)) (Qfloor (high / g)) (steps g (value I r))) a))
      (sum_rows (map (fun r => clamp (Qceiling (low / g)) (Qfloor (high / g)) (steps g (value I r))) b))) ->
  nothing (out a) (out b) \/ exists d, P d /\ apart Absolute d (out a) (out b).
Proof.
  cbn [step_rule]. intros H. destruct D as [dl dh [g|]| | | | | | | | | | |]; try (left; split; reflexivity).
  destruct (Qlt_bool 0 g && Z.leb (Qceiling (low / g)) (Qfloor (high / g)))%bool eqn:E; [|left; split; reflexivity].
  right. apply andb_prop in E. destruct E as [E F]. apply Qlt_bool_R in E. rewrite Q2R_0 in E. apply Z.leb_le in F.
  pose proof (fun q => floor_clamped q E F) as C.
  destruct (H g E) as (d & Pd & K); [specialize (C 0%Q); unfold between in C; lra | exact C |].
  exists d; split; [exact Pd|]. cbn [apart]. split; [reflexivity | exact K].
Qed.

Lemma bins_ok_ok bins : bins_ok bins = true -> NoDup bins /\ length bins <> 0%nat.
Proof.
  unfold bins_ok, some. intros H. apply andb_prop in H. destruct H as [A B]. split; [now apply distinct_ok|].
  intros E. rewrite E in B. discriminate.
Qed.
Lemma histogram_entries (by_ : spoken) bins (El : length bins <> 0%nat) d g (a b : list (row I)) :
  fact_holds (entries bins) d (Vector g (histogram constant_dec (class I by_) bins a) : data) (Vector g (histogram constant_dec (class I by_) bins b)).
Proof. cbn [fact_holds entries]. unfold histogram, totals, tallies. rewrite !map_length, Nat2Pos.id by exact El. auto. Qed.
Lemma four_degrees n k d g h : node_distance n d g h ->
  l1 1 (INR (Pos.to_nat (4 * k)) * d) (degree_histogram n (Pos.to_nat k) g) (degree_histogram n (Pos.to_nat k) h).
Proof.
  intros A. rewrite Pos2Nat.inj_mul, mult_INR. replace (INR (Pos.to_nat 4)) with 4 by (rewrite INR_IZR_INZ, positive_nat_Z; reflexivity). now apply degree_histogram_node.
Qed.
Lemma degrees_long n k d g h :
  fact_holds (Long (Pos.succ k)) d (Vector 1 (degree_histogram n (Pos.to_nat k) g) : data) (Vector 1 (degree_histogram n (Pos.to_nat k) h)).
Proof.
  cbn [fact_holds]. unfold degree_histogram, histogram, totals, tallies. rewrite !map_length, !seq_length, Pos2Nat.inj_succ. split; reflexivity.
Qed.
Lemma scores_entries (v : row I -> R) candidates a b d g (x y : list (row I)) : some candidates = true ->
  fact_holds (entries candidates) d (Vector g (quantile_scores v (map Q2R candidates) a b x) : data)
    (Vector g (quantile_scores v (map Q2R candidates) a b y)).
Proof.
  unfold some. intros H. apply negb_true_iff, Nat.eqb_neq in H. cbn [fact_holds entries].
  unfold quantile_scores, totals. rewrite !map_length, Nat2Pos.id by exact H. auto.
Qed.

Lemma cells_differ (e : expr) guess : NoDup (its_bins (marginal_of I e guess)).
Proof.
  cbn. generalize 0%nat as k. induction (length guess) as [|n IH]; intros k; cbn; constructor; [|apply IH].
  intros J. apply in_map_iff in J. destruct J as (j & E & J). apply in_seq in J. unfold cell in E. injection E as E. lia.
Qed.

Ltac longer m H := match type of H with (if ?c then if ?e then _ else _ else _) = _ =>
  let E := fresh "Has" in let F := fresh "Is" in destruct c eqn:E; [|discriminate]; destruct e eqn:F; [|discriminate];
  injection H as <- <-; split; [cbn [nonneg_map]; rewrite ?Q2R_pos; apply IZR_le; lia | intros d x y Hd _ K;
    pose proof (has_ok (m := m) E K) as A; let g := fresh "g" in let a := fresh "a" in let b := fresh "b" in
    destruct (apart_vectors A Logic.I) as (g & a & b & -> & ->); destruct A as [_ A]; pose proof (is_long_ok F K) as [Na Nb];
    left; apply Forall_cons; [cbn [fact_holds apart at_r step_rule]; split; [reflexivity|] | apply (lengths_same _ K)]] end.

Lemma apart_data m d (x y : data) : apart m d x y -> x <> NoData /\ y <> NoData.
Proof. destruct m as [| | | | | | | | |w| | | | |]; try destruct w; destruct x, y; cbn [apart]; try tauto; intros _; split; discriminate. Qed.
Lemma made_is f map source output target promised (x : data) : x <> NoData ->
  step_rule (ClaimedTransformation f map source output target promised) x = made I f map output x.
Proof. destruct x; [reflexivity.. | contradiction]. Qed.

Theorem far_rule_ok r fs fs' f : promise_of I r [] -> far_rule r fs = Some (fs', f) -> good I r fs fs' f.
Proof.
  intros Kept. destruct r; try exact (@vector_sum_ok I _ _ _ _ fs fs' f); try exact (linear_queries_ok Kept);
  try exact (@unit_queries_ok _ _ _ fs fs' f);
  cbn [far_rule]; cbv beta zeta; try discriminate.
  - (* RowMap *) intros H.
    destruct (row_map (mapped I to)) as (R1 & R2 & R3).
    destruct (has Symmetric fs) eqn:E1; [|destruct (has ChangeOne fs) eqn:E2].
    1,2: apply maps_ok with (g := map (mapped I to)) (output := output); auto using map_length, map_moved; now rewrite E1, ?E2.
    destruct (person_of fs) as [who|] eqn:E3; [|discriminate]. destruct (keeps who to) eqn:E4; [|discriminate].
    injection H as <- <-. split; [exact nonneg_1|]. intros d x y Hd _ K. rewrite Times_1.
    pose proof (person_ok E3 K) as A. destruct (apart_rows A Logic.I) as (D & a & b & -> & ->). destruct A as [_ A].
    facts. apply (R3 _ constant_dec (person I who) (person I who)); [|exact A]. intros r. now apply mapped_person.
  - (* Filter *) destruct m; intros H; try discriminate.
    + one Symmetric H. left. apply Forall_cons; [split; [reflexivity | now apply filter_symmetric]|]. apply known_app. split; [exact (of_rows_ok _ _ _ K)|].
      apply still_moved_ok with (1 := K). intros V. exact (@filter_moved _ (holds I condition) (d / 2) a b V).
    + one ChangeOne H. facts; [now apply filter_change_one|]. apply halves_of_moved. exact (@filter_moved _ _ d a b (moved_of_change_one A)).
    + someone H. facts. now apply filter_person.
  - (* DropNulls *) destruct m; intros H; try discriminate.
    + one Symmetric H. left. apply Forall_cons; [split; [reflexivity | now apply drop_nulls_symmetric]|]. apply known_app. split; [exact (dropped_rows_ok _ _ _ _ K)|].
      apply still_moved_ok with (1 := K). intros V. exact (@somes_moved _ _ _ (d / 2) a b V).
    + one ChangeOne H. facts; [now apply drop_nulls_change_one|]. apply halves_of_moved. exact (@somes_moved _ _ _ d a b (moved_of_change_one A)).
    + someone H. facts. apply (@drop_nulls_person _ _ _ constant_dec (person I who) (person I who) (complete I names)); [|exact A]. intros r u H. eapply (complete_person I); exact H.
  - (* FlatMap *) intros H. one Symmetric H; [apply pos_nonneg|].
    facts. rewrite times_pos. now apply flat_map_symmetric.
  - (* BoundContributions *) intros H. one (Person who) H; [apply pos_nonneg|].
    facts. rewrite times_pos. apply bound_contributions_person; [| | exact A].
    + intros u v P. now rewrite (arranged_order I _ P).
    + intros u. apply firstn_le_length.
  - (* Resize *) intros H. one Symmetric H. facts.
    + apply resize_symmetric; [apply shuffled_all | apply shuffled_order | apply shuffled_one | exact A].
    + split; apply resized_length; apply shuffled_all.
  - (* ClipNorm *) intros H. destruct (rows_mapped (clipped I bound n)) as (R1 & R2).
    now apply maps_ok with (g := map (clipped I bound n)) (output := output); auto using map_length, map_moved.
  - (* Count *) destruct m; intros H; try discriminate.
    + one Symmetric H. facts. rewrite Q2R_1. now apply count_symmetric.
    + one ChangeOne H; [simpl; rewrite Q2R_0; lra|]. facts. cbn [at_r]. rewrite Q2R_1, Q2R_0. now apply count_change_one.
    + one Moved H; [cbn [nonneg_map]; rewrite Q2R_half; lra|]. facts. cbn [at_r]. rewrite Q2R_1, Q2R_half. replace (/ 2 * d) with (d / 2) by field. now apply count_filtered.
  - (* Sum *) destruct m; intros H; try discriminate.
    + one Symmetric H; [cbn; rewrite Q2R_max_abs; eapply Rle_trans; [apply Rabs_pos | apply Rmax_l]|].
      cbn [at_r]. rewrite Q2R_max_abs, Rmult_comm.
      destruct (@sum_known FromSymmetric low high D a b (fun e => e = d * Rmax (Rabs (Q2R low)) (Rabs (Q2R high)))) as [N|(e & -> & N)].
      * intros g Hg L C. eexists; split; [reflexivity|]. apply (sum_symmetric L). split; [|split]; [apply Forall_map, Forall_forall; auto..|].
        apply (proj1 (row_map (fun r => clamp (Qceiling (low / g)) (Qfloor (high / g)) (steps g (value I r))))), A.
      * now right.
      * facts. exact N.
    + destruct (has ChangeOne fs) eqn:E; [|discriminate]. injection H as <- <-.
      split; [cbn [nonneg_map]; unfold Qmax0; rewrite Q2R_max, Q2R_0; apply Rmax_l|]. intros d x y Hd _ K.
      pose proof (has_ok E K) as A. destruct (apart_rows A Logic.I) as (D & a & b & -> & ->); destruct A as [_ A].
      cbn [at_r]. rewrite Rmult_comm.
      destruct (@sum_known FromChangeOne low high D a b (fun e => e <= d * Q2R (Qmax0 (high - low)))) as [N|(e & He & N)].
      * intros g Hg L C. exists (d * (Q2R high - Q2R low)). split.
        -- apply Rmult_le_compat_l; [exact Hd|]. unfold Qmax0. rewrite Q2R_max, Q2R_minus. apply Rmax_r.
        -- apply (sum_change_one L). split; [|split]; [apply Forall_map, Forall_forall; auto..|].
           apply row_map_change_one, A.
      * now right.
      * facts. exact (apart_le He N).
    + assert (Nn : 0 <= Q2R (Qmax (high - low) (Qmax_abs low high))).
      { rewrite Q2R_max, Q2R_max_abs. eapply Rle_trans; [|apply Rmax_r]. eapply Rle_trans; [apply Rabs_pos | apply Rmax_l]. }
      destruct (has Moved fs) eqn:E; [|discriminate]. injection H as <- <-.
      split; [cbn [nonneg_map]; rewrite Q2R_mult, Q2R_half; lra|]. intros d x y Hd _ K.
      pose proof (has_ok E K) as A. destruct (apart_rows A Logic.I) as (D & a & b & -> & ->); destruct A as [_ A].
      cbn [at_r]. rewrite Q2R_mult, Q2R_half.
      destruct (@sum_known FromFiltered low high D a b (fun e => e = / 2 * Q2R (Qmax (high - low) (Qmax_abs low high)) * d)) as [N|(e & He & N)].
      * intros g Hg L C. eexists; split; [reflexivity|]. rewrite Q2R_max, Q2R_max_abs, Q2R_minus.
        replace (/ 2 * Rmax (Q2R high - Q2R low) (Rmax (Rabs (Q2R low)) (Rabs (Q2R high))) * d)
          with (d / 2 * Rmax (Q2R high - Q2R low) (Rmax (Rabs (Q2R low)) (Rabs (Q2R high)))) by field.
        apply (sum_filtered L). split; [|split]; [apply Forall_map, Forall_forall; auto..|]. apply map_moved, A.
      * now right.
      * subst e. facts. exact N.
  - (* Histogram *) destruct m; intros H; try discriminate.
    + destruct (has Symmetric fs) eqn:E; [|discriminate]. destruct (bins_ok bins) eqn:Eb; [|discriminate].
      apply bins_ok_ok in Eb. destruct Eb as [Eb El]. destruct (histogram_symmetric constant_dec (class I by_) Eb) as (R1 & R2 & R3).
      pose proof (histogram_l2_symmetric constant_dec (class I by_) Eb) as R4.
      destruct n; injection H as <- <-; (split; [cbn; rewrite ?Q2R_1; lra|]); intros d x y Hd _ K;
      pose proof (has_ok E K) as A; reached A; facts; try (cbn [step_rule]; apply histogram_entries; exact El); rewrite ?Times_1; cbn [at_r]; rewrite ?Q2R_1, ?Rmult_1_l; auto.
    + destruct (has ChangeOne fs) eqn:E; [|discriminate]. destruct (bins_ok bins) eqn:Eb; [|discriminate].
      apply bins_ok_ok in Eb. destruct Eb as [Eb El]. destruct (histogram_l1_change_one constant_dec (class I by_) Eb) as (R1 & R2).
      pose proof (histogram_l2_change_one constant_dec (class I by_) Eb) as R3.
      pose proof (histogram_linf_change_one constant_dec (class I by_) bins) as R4.
      destruct n; injection H as <- <-; (split; [cbn [nonneg_map]; rewrite ?Q2R_1, ?Q2R_Z; lra|]); intros d x y Hd _ K;
      pose proof (has_ok E K) as A; reached A; facts; try (cbn [step_rule]; apply histogram_entries; exact El); rewrite ?Times_1, ?Times_2; cbn [at_r]; rewrite ?Q2R_1, ?Q2R_Z; auto.
      rewrite <- Rmult_assoc; auto.
    + (* filtered *) destruct (has Moved fs) eqn:E; [|discriminate]. destruct (bins_ok bins) eqn:Eb; [|discriminate]. apply bins_ok_ok in Eb. destruct Eb as [Eb El].
      destruct n; try discriminate; injection H as <- <-; (split; [cbn [nonneg_map]; rewrite Q2R_half; lra|]); intros d x y Hd _ K;
      pose proof (has_ok E K) as A; reached A; facts; try (cbn [step_rule]; apply histogram_entries; exact El); cbn [at_r]; rewrite Q2R_1, Q2R_half.
      * replace (/ 2 * (d * d)) with (2 * (d / 2) * (d / 2)) by field. now apply histogram_l2_filtered.
      * replace (/ 2 * d) with (d / 2) by field. now apply histogram_linf_filtered.
    + (* one bin *) destruct (has ChangeOne fs) eqn:E; [|discriminate]. destruct (bins_ok bins) eqn:Eb; [|discriminate]. destruct (one_bin bins) eqn:Eo; [|discriminate].
      apply Nat.eqb_eq in Eo. apply bins_ok_ok in Eb. destruct Eb as [Eb El].
      destruct (histogram_one_bin_change_one constant_dec (class I by_) bins Eo) as (R1 & R2 & R3).
      pose proof (histogram_one_bin_l2_change_one constant_dec (class I by_) bins Eo) as R4.
      destruct n; injection H as <- <-; (split; [cbn [nonneg_map]; rewrite ?Q2R_1; lra|]); intros d x y Hd _ K;
      pose proof (has_ok E K) as A; reached A; facts; try (cbn [step_rule]; apply histogram_entries; exact El); cbn [at_r]; rewrite ?Q2R_1, ?Rmult_1_l; auto.
    + (* one bin, filtered *) destruct (has Moved fs) eqn:E; [|discriminate]. destruct (bins_ok bins) eqn:Eb; [|discriminate]. destruct (one_bin bins) eqn:Eo; [|discriminate].
      apply Nat.eqb_eq in Eo. apply bins_ok_ok in Eb. destruct Eb as [Eb El].
      destruct (histogram_one_bin_filtered constant_dec (class I by_) bins Eo) as (R1 & R2 & R3).
      pose proof (histogram_one_bin_l2_filtered constant_dec (class I by_) bins Eo) as R4.
      assert (Q4 : Q2R (1 # 4) = / 4) by (unfold Q2R; simpl; field).
      destruct n; injection H as <- <-; (split; [cbn [nonneg_map]; rewrite ?Q2R_half, ?Q4; lra|]); intros d x y Hd _ K;
      pose proof (has_ok E K) as A; reached A; facts; try (cbn [step_rule]; apply histogram_entries; exact El); cbn [at_r]; rewrite ?Q2R_1, ?Q2R_half, ?Q4;
      try (replace (/ 2 * d) with (d / 2) by field); try (replace (/ 4 * (d * d)) with (d / 2 * (d / 2)) by field);
      first [exact (R1 _ _ _ A) | exact (R2 _ _ _ A) | exact (R3 _ _ _ A) | exact (R4 _ _ _ A)].
  - (* AbsoluteErrors *) intros H. destruct (filter is_norm fs) as [|h found] eqn:E.
    { destruct guess as [|c [|]]; try discriminate H. destruct (has Absolute fs) eqn:E1; [|discriminate]. injection H as <- <-.
      split; [exact nonneg_1|]. intros d x y Hd _ K. rewrite Times_1. pose proof (has_ok E1 K) as A. left. apply Forall_cons; [|apply Forall_nil].
      destruct x, y; try contradiction A. destruct A as [-> A]. cbn [fact_holds apart step_rule]. split; [reflexivity|].
      now apply (proj2 (proj2 (proj2 (absolute_errors _ [])))). }
    injection H as <- <-. split; [exact nonneg_1|]. intros d x y Hd _ K. rewrite Times_1. left.
    assert (S : forall m, In (Measured m) (h :: found) -> fact_holds (Measured m) d
      (step_rule (AbsoluteErrors guess) x : data) (step_rule (AbsoluteErrors guess) y)).
    { intros m J. rewrite <- E in J. apply filter_In in J. destruct J as [J N].
      assert (A : apart m d x y) by (unfold known in K; rewrite Forall_forall in K; exact (K _ J)).
      assert (V : match m with L1 | L2 | LInf | Range => True | _ => False end) by (destruct m; try discriminate N; exact Logic.I).
      destruct (apart_vectors A V) as (g & a & b & -> & ->). destruct (absolute_errors (Q2R g) (map (steps g) guess)) as (S1 & S2 & S3 & _).
      cbn [step_rule fact_holds]. destruct m; try discriminate N; destruct A as [_ A]; (split; [reflexivity|]); auto. }
    change (known (((h :: found) ++ lengths fs)%list) d (step_rule (AbsoluteErrors guess) x : data) (step_rule (AbsoluteErrors guess) y)).
    apply known_app. split.
    + unfold known. rewrite Forall_forall. intros f J. pose proof J as J'. rewrite <- E in J'. apply filter_In in J'.
      destruct J' as [_ N]. destruct f; try discriminate N. now apply S.
    + assert (J : In h (filter is_norm fs)) by (rewrite E; now left). apply filter_In in J. destruct J as [J N].
      destruct h as [m| | | |]; try discriminate N. assert (A : apart m d x y) by (unfold known in K; rewrite Forall_forall in K; exact (K _ J)).
      assert (V : match m with L1 | L2 | LInf | Range => True | _ => False end) by (destruct m; try discriminate N; exact Logic.I).
      destruct (apart_vectors A V) as (g & a & b & -> & ->). cbn [step_rule]. pose proof (lengths_same d K) as L.
      unfold known in L |- *. rewrite Forall_forall in L |- *. intros u Hu. specialize (L u Hu). apply filter_In in Hu. destruct Hu as [_ Hu].
      destruct u; try discriminate Hu. cbn [fact_holds] in L |- *. now rewrite !errors_length.
  - (* MarginalErrors *) intros H. destruct (has Symmetric fs) eqn:E; [|discriminate]. destruct (some queries) eqn:Es; [|discriminate].
    destruct (Nat.eqb (length queries) (length guesses)) eqn:El; [|discriminate]. cbn [andb] in H. injection H as <- <-.
    apply Nat.eqb_eq in El. unfold some in Es. apply negb_true_iff, Nat.eqb_neq in Es.
    split; [exact nonneg_1|]. intros d x y Hd _ K. rewrite Times_1. pose proof (has_ok E K) as A. reached A. facts.
    + rewrite Q2R_1. apply marginal_errors_symmetric; [|exact A]. intros m J. apply in_map_iff in J. destruct J as (p & <- & _). apply cells_differ.
    + cbn [fact_holds entries step_rule]. unfold marginal_errors. rewrite !map_length, combine_length, <- El, Nat.min_id, Nat2Pos.id by exact Es. auto.
  - (* QuantileScores *) destruct m; intros H; try discriminate.
    + destruct (has Symmetric fs) eqn:E; [|discriminate]. destruct (Z.leb 0 a) eqn:E1; [|discriminate].
      destruct (Z.leb a b) eqn:E2; [|discriminate]. apply Z.leb_le in E1, E2. destruct (some candidates) eqn:Ec; [|discriminate].
      injection H as <- <-. split; [cbn [nonneg_map]; rewrite Q2R_Z; apply IZR_le; lia|]. intros d x y Hd _ K.
      pose proof (has_ok E K) as A. reached A. facts; [|cbn [step_rule]; now apply scores_entries]. cbn [at_r]. rewrite Q2R_Z, Q2R_1.
      replace (IZR (Z.max a (b - a)) * d) with (d * Rmax (IZR a) (IZR (b - a))).
      * apply quantile_scores_symmetric; [lia | exact A].
      * rewrite Rmult_comm. f_equal. destruct (Z.max_spec a (b - a)) as [[L ->]|[L ->]];
        [rewrite Rmax_right | rewrite Rmax_left]; auto; apply IZR_le; lia.
    + destruct (has ChangeOne fs) eqn:E; [|discriminate]. destruct (Z.leb 0 a) eqn:E1; [|discriminate].
      destruct (Z.leb a b) eqn:E2; [|discriminate]. apply Z.leb_le in E1, E2. destruct (some candidates) eqn:Ec; [|discriminate].
      injection H as <- <-. split; [cbn [nonneg_map]; rewrite Q2R_Z; apply IZR_le; lia|]. intros d x y Hd _ K.
      pose proof (has_ok E K) as A. reached A. facts; [|cbn [step_rule]; now apply scores_entries]. cbn [at_r]. rewrite Q2R_Z, Q2R_1, Rmult_comm.
      apply quantile_scores_change_one; [lia | exact A].
    + destruct (has Moved fs) eqn:E; [|discriminate]. destruct (Z.leb 0 a) eqn:E1; [|discriminate].
      destruct (Z.leb a b) eqn:E2; [|discriminate]. apply Z.leb_le in E1, E2. destruct (some candidates) eqn:Ec; [|discriminate].
      injection H as <- <-. assert (0 <= IZR b) by (apply IZR_le; lia).
      split; [cbn [nonneg_map]; rewrite Q2R_mult, Q2R_half, Q2R_Z; lra|]. intros d x y Hd _ K.
      pose proof (has_ok E K) as A. reached A. facts; [|cbn [step_rule]; now apply scores_entries]. cbn [at_r]. rewrite Q2R_mult, Q2R_half, Q2R_Z, Q2R_1.
      replace (/ 2 * IZR b * d) with (d / 2 * IZR b) by field. apply quantile_scores_filtered; [lia | exact A].
  - (* Partition *) destruct m; intros H; try discriminate.
    + destruct (has Symmetric fs) eqn:E; [|discriminate]. destruct (distinct keys) eqn:Ek; [|discriminate]. apply distinct_ok in Ek.
      injection H as <- <-. split; [exact nonneg_1|]. intros d x y Hd _ K. rewrite Times_1.
      pose proof (has_ok E K) as A. reached A. left. apply Forall_cons; [|exact (of_parts_ok _ _ _ _ _ K)].
      cbn [fact_holds apart step_rule]. split; [reflexivity|]. split; [reflexivity|]. split; [exact Ek|]. now apply partition_symmetric.
    + destruct (has ChangeOne fs) eqn:E; [|discriminate]. destruct (distinct keys) eqn:Ek; [|discriminate]. apply distinct_ok in Ek.
      injection H as <- <-. split; [exact nonneg_1|]. intros d x y Hd _ K. rewrite Times_1.
      pose proof (has_ok E K) as A. reached A. left. apply Forall_cons; [|exact (of_parts_ok _ _ _ _ _ K)].
      cbn [fact_holds apart step_rule]. split; [reflexivity|]. split; [reflexivity|]. split; [exact Ek|]. now apply partition_change_one.
  - (* Metrics *) destruct source; try discriminate; destruct target; try discriminate; intros H.
    + (* symmetric to change-one *) destruct (sizes fs) as [|f' ss] eqn:Es; [discriminate|].
      destruct (has Symmetric fs) eqn:E; [|discriminate]. injection H as <- <-. split; [exact Logic.I|]. intros d x y Hd _ K.
      pose proof (has_ok E K) as A. reached A. left. apply Forall_cons; [|apply known_app; split].
      * cbn [fact_holds apart at_r step_rule]. split; [reflexivity|].
        assert (S : fact_holds f' d (Rows D a : data) (Rows D b)).
        { pose proof (sizes_same d K) as S. rewrite Es in S. now inversion S. }
        assert (is_sized f' = true) by (assert (J : In f' (sizes fs)) by (rewrite Es; now left); now apply filter_In in J).
        destruct f'; try discriminate. destruct S as [La Lb].
        apply (@symmetric_to_change_one _ (Pos.to_nat n)). repeat split; auto.
      * apply (of_rows_ok _ _ _ K).
      * rewrite <- Es. apply (sizes_same _ K).
    + one ChangeOne H. left. apply Forall_cons; [|apply Forall_cons; [|apply known_app; split]].
      * cbn [fact_holds apart at_r step_rule]. split; [reflexivity|]. now apply change_one_to_symmetric.
      * cbn [fact_holds apart step_rule]. split; [reflexivity|]. apply halves_of_moved. exact (moved_of_change_one A).
      * apply (of_rows_ok _ _ _ K).
      * apply (sizes_same _ K).
    + vec L1 H. apply l1_to_l2 in A. now rewrite Q2R_1, Rmult_1_l.
    + vec L1 H. rewrite Q2R_1, Rmult_1_l. now apply l1_to_linf.
    + vec L1 H. rewrite Q2R_1, Rmult_1_l. now apply l1_to_range.
    + destruct size as [n|]; [|discriminate]. longer L2 H. rewrite pos_INR_. apply l2_to_l1. repeat split; auto; apply A.
    + vec L2 H. rewrite Q2R_1, Rmult_1_l. now apply l2_to_linf.
    + destruct size as [n|]; [|discriminate]. longer LInf H. rewrite pos_INR_. apply linf_to_l1. repeat split; auto; apply A.
    + destruct size as [n|]; [|discriminate]. longer LInf H. rewrite pos_INR_, <- Rmult_assoc. apply linf_to_l2. repeat split; auto; apply A.
    + vec LInf H. rewrite Q2R_Z. now apply linf_to_range.
    + vec Range H. rewrite Q2R_1, Rmult_1_l. now apply range_to_linf.
    + destruct (has Edge fs) eqn:E; [|discriminate]. injection H as <- <-. split; [exact nonneg_1|]. intros d x y Hd _ K. rewrite Times_1.
      pose proof (has_ok E K) as A. destruct x, y; cbn [apart] in A; try tauto. destruct A as [<- A].
      left. apply Forall_cons; [split; [reflexivity | now apply edge_to_node] | exact (nodes_same _ K)].
    + destruct size as [k|]; [|discriminate]. destruct (has Node fs) eqn:E; [|discriminate].
      destruct (existsb (is_nodes_of k) fs) eqn:F; [|discriminate]. injection H as <- <-.
      assert (V : Q2R (most_edges k) = INR (Pos.to_nat k) - 1) by (unfold most_edges; now rewrite Q2R_Z, minus_IZR, INR_IZR_INZ, positive_nat_Z).
      assert (1 <= INR (Pos.to_nat k)) by (apply (le_INR 1); lia).
      split; [cbn [nonneg_map]; rewrite V; lra|]. intros d x y Hd _ K.
      pose proof (has_ok E K) as A. destruct x, y; cbn [apart] in A; try tauto. destruct A as [<- A].
      destruct (is_nodes_ok F K) as [-> _].
      left. apply Forall_cons; [split; [reflexivity|] | exact (nodes_same _ K)]. cbn [at_r]. rewrite V. apply node_to_edge; [lia | exact A].
  - (* FromGranularity *) intros H. destruct (existsb (is_granularity_of rows) fs) eqn:E; [|discriminate]. injection H as <- <-.
    split; [apply pos_nonneg|]. intros d x y Hd _ K. apply existsb_exists in E. destruct E as (h & J & E).
    pose proof K as A. unfold known in A. rewrite Forall_forall in A. apply A in J. clear A.
    assert (Q : apart Symmetric (IZR (Zpos rows) * d) x y).
    { assert (P : 0 <= IZR (Zpos rows)) by (apply IZR_le; lia).
      destruct h as [[| | | | | | | | | | | |name g [n|]|name g [n|]|]| | | |]; try discriminate; apply Pos.eqb_eq in E; subst n;
        [exact (Kept _ _ _ _ _ J) | exact (chained_rows P (Kept name g) J)]. }
    clear J. rename Q into J.
    destruct (apart_rows J Logic.I) as (D & a & b & -> & ->). destruct J as [_ J].
    left. apply Forall_cons; [split; [reflexivity|] | apply known_app; split; [exact (of_rows_ok _ _ _ K) | exact (sizes_same _ K)]].
    cbn [at_r]. now rewrite Q2R_pos.
  - (* EdgeCount *) destruct m; intros H; try discriminate; revert H.
    + destruct (has Edge fs) eqn:E; [|discriminate]. intros H. injection H as <- <-. split; [exact nonneg_1|]. intros d x y Hd _ K.
      pose proof (has_ok E K) as A. destruct x, y; cbn [apart] in A; try tauto. destruct A as [<- A].
      left. apply Forall_cons; [|constructor]. cbn [fact_holds apart step_rule]. split; [reflexivity|].
      rewrite Times_1, Q2R_1. now apply edge_count_edge.
    + destruct (has Node fs) eqn:E; [|discriminate]. intros H. injection H as <- <-. split; [apply pos_nonneg|]. intros d x y Hd _ K.
      pose proof (has_ok E K) as A. destruct x, y; cbn [apart] in A; try tauto. destruct A as [<- A].
      left. apply Forall_cons; [|constructor]. cbn [fact_holds apart step_rule]. split; [reflexivity|].
      rewrite times_pos, Q2R_1. now apply edge_count_node.
  - (* DegreeHistogram *) destruct m; intros H; try discriminate; revert H.
    + destruct (has Edge fs) eqn:E; [|discriminate]. intros H. injection H as <- <-. split; [apply pos_nonneg|]. intros d x y Hd _ K.
      pose proof (has_ok E K) as A. destruct x, y; cbn [apart] in A; try tauto. destruct A as [<- A].
      left. apply Forall_cons; [|apply Forall_cons; [apply degrees_long | constructor]]. cbn [fact_holds apart step_rule]. split; [reflexivity|].
      rewrite Q2R_1. cbn [at_r]. rewrite Q2R_pos. now apply degree_histogram_edge.
    + destruct (has Node fs) eqn:E; [|discriminate]. intros H. injection H as <- <-. split; [apply pos_nonneg|]. intros d x y Hd _ K.
      pose proof (has_ok E K) as A. destruct x, y; cbn [apart] in A; try tauto. destruct A as [<- A].
      left. apply Forall_cons; [|apply Forall_cons; [apply degrees_long | constructor]]. cbn [fact_holds apart step_rule]. split; [reflexivity|].
      rewrite times_pos, Q2R_1. exact (four_degrees _ A).
  - (* Triangles *) intros H. destruct (has Edge fs) eqn:E; [|discriminate]. destruct (existsb (is_nodes_of size) fs) eqn:F; [|discriminate].
    destruct (Pos.leb 2 size) eqn:L; [|discriminate]. apply Pos.leb_le in L. injection H as <- <-.
    assert (V : Q2R (third_nodes size) = INR (Pos.to_nat size) - 2) by
      (unfold third_nodes; rewrite Q2R_Z, minus_IZR, INR_IZR_INZ, positive_nat_Z; reflexivity).
    assert (2 <= INR (Pos.to_nat size)) by (apply (le_INR 2); lia).
    split; [cbn [nonneg_map]; rewrite V; lra|]. intros d x y Hd _ K.
    pose proof (has_ok E K) as A. destruct x, y; cbn [apart] in A; try tauto. destruct A as [<- A].
    destruct (is_nodes_ok F K) as [-> _].
    left. apply Forall_cons; [|constructor]. cbn [fact_holds apart step_rule]. split; [reflexivity|].
    cbn [at_r]. rewrite V, Q2R_1. apply triangles_edge; [lia | exact A].
  - (* ClaimedTransformation *) intros H. destruct (has source fs) eqn:E; [|discriminate].
    destruct (forallb (fun p => Qle_bool 0 (snd p)) promised) eqn:F; [|discriminate]. injection H as <- <-.
    destruct Kept as (L & Z & S). split.
    { cbn [nonneg_map]. rewrite forallb_forall in F. apply Forall_forall. intros p J. apply F, Qle_R in J. now rewrite Q2R_0 in J. }
    intros d x y Hd V K. pose proof (has_ok E K) as A. destruct (apart_data A) as [Nx Ny]. left.
    rewrite !made_is by assumption. apply Forall_cons; [|apply facts_of_ok; now apply L].
    cbn [fact_holds at_r]. destruct (Rle_dec d 0) as [D|D]; [apply Z; replace 0 with d by lra; exact A|].
    destruct V as [V|V]; [contradiction|]. destruct (lowest promised d) as [e|] eqn:W; [|contradiction].
    destruct (lowest_in _ _ W) as (far & near & J & Df & ->). apply (S far near J). now apply (apart_le Df).
Qed.
End Stability.
