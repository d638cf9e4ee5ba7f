(** * Parallel composition, measure by measure

    [M k] is the measurement of part k, [loss k] its loss when one row is added or removed, [change k] its loss when one row
    is replaced. [top] is the largest of a list. *)
From Coq Require Import Reals Lra Lia List.
From DPcore Require Import Distributions Indistinguishability Measures Metrics Norms Combinators Partition Parallel
  Powers Renyi Composition.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

Section Parts.
Variables (K T A : Type) (eqK : forall a b : K, {a = b} + {a <> b}) (ks : list K) (M : K -> list T -> dist A).
Hypothesis distinct : NoDup ks.
Hypothesis order : forall k, In k ks -> respects symmetric (M k).

(** ** Rows added and removed: the largest loss, lifted to d *)
Section Symmetric.
Notation each_private ms loss := (forall k, In k ks -> private_at symmetric ms (M k) 1 (loss k)).

Theorem parallel_symmetric_pure (loss : K -> R) : each_private pure loss ->
  private (parts_symmetric ks) pure (parallel M ks) (fun d => d * top (map loss ks)).
Proof. exact (@parallel_symmetric_at K T A eqK ks distinct _ _ pure _ _ M loss order). Qed.

Theorem parallel_symmetric_zcdp (loss : K -> R) : each_private zcdp loss ->
  private (parts_symmetric ks) zcdp (parallel M ks) (fun d => d * d * top (map loss ks)).
Proof. exact (@parallel_symmetric_at K T A eqK ks distinct _ _ zcdp _ _ M loss order). Qed.

Theorem parallel_symmetric_total_variation (loss : K -> R) : each_private total_variation loss ->
  private (parts_symmetric ks) total_variation (parallel M ks) (fun d => d * top (map loss ks)).
Proof. exact (@parallel_symmetric_at K T A eqK ks distinct _ _ total_variation _ _ M loss order). Qed.

Theorem parallel_symmetric_approx (loss : K -> R * R) : each_private approx loss ->
  let eps := top (map (fun k => fst (loss k)) ks) in
  let delta := top (map (fun k => snd (loss k)) ks) in
  private (parts_symmetric ks) approx (parallel M ks) (fun d => (d * eps, delta * geometric d eps)).
Proof.
  intros H. pose proof (@parallel_symmetric_at K T A eqK ks distinct _ _ approx _ _ M loss order H) as P.
  unfold most_moved in P. rewrite largest_pairs in P. exact P.
Qed.

Lemma largest_curves (l : K -> R -> R) js x : largest (map l js) x = top (map (fun k => l k x) js).
Proof. induction js as [|k js IH]; simpl; [reflexivity | now rewrite IH]. Qed.

Theorem parallel_symmetric_profile (loss : K -> R -> R) : each_private profile loss ->
  private (parts_symmetric ks) profile (parallel M ks) (fun d => group_curve d (fun eps => top (map (fun k => loss k eps) ks))).
Proof.
  intros H d x y D eps E.
  replace (group_curve d (fun eps => top (map (fun k => loss k eps) ks)) eps) with
    (group_curve d (largest (map loss ks)) eps) by (unfold group_curve; now rewrite largest_curves).
  exact (@parallel_symmetric_at K T A eqK ks distinct _ _ profile _ _ M loss order H d x y D eps E).
Qed.
End Symmetric.

(** ** Rows replaced: max( max_i change_i, max_i loss_i, max_{i != j} loss_i + loss_j ), lifted to d *)
Section ChangeOne.

(** [different eqK ks] are the pairs of different keys. *)
Definition worst (change l : K -> R) : R :=
  top (map change ks ++ map l ks ++ map (fun ij => l (fst ij) + l (snd ij)) (different eqK ks)).

Notation private_both ms loss change := ((forall k, In k ks -> private_at symmetric ms (M k) 1 (loss k)) /\
  (forall k, In k ks -> private_at change_one ms (M k) 1 (change k))).

Theorem parallel_change_one_pure (loss change : K -> R) : private_both pure loss change ->
  (forall k, In k ks -> 0 <= loss k) ->
  private (parts_change_one ks) pure (parallel M ks) (fun d => d * worst change loss).
Proof. intros [H C]. exact (@parallel_change_one_at K T A eqK ks distinct _ _ pure _ _ M loss order H _ change C). Qed.

Theorem parallel_change_one_zcdp (loss change : K -> R) : private_both zcdp loss change ->
  (forall k, In k ks -> 0 <= loss k) ->
  private (parts_change_one ks) zcdp (parallel M ks) (fun d => d * d * worst change loss).
Proof. intros [H C]. exact (@parallel_change_one_at K T A eqK ks distinct _ _ zcdp _ _ M loss order H _ change C). Qed.

Theorem parallel_change_one_total_variation (loss change : K -> R) : private_both total_variation loss change ->
  (forall k, In k ks -> 0 <= loss k) ->
  private (parts_change_one ks) total_variation (parallel M ks) (fun d => d * worst change loss).
Proof. intros [H C]. exact (@parallel_change_one_at K T A eqK ks distinct _ _ total_variation _ _ M loss order H _ change
  C). Qed.

Theorem parallel_change_one_approx (loss change : K -> R * R) : private_both approx loss change ->
  (forall k, In k ks -> 0 <= fst (loss k) /\ 0 <= snd (loss k)) ->
  let eps := worst (fun k => fst (change k)) (fun k => fst (loss k)) in
  let delta := worst (fun k => snd (change k)) (fun k => snd (loss k)) in
  private (parts_change_one ks) approx (parallel M ks) (fun d => (d * eps, delta * geometric d eps)).
Proof.
  intros [H C] N. pose proof (@parallel_change_one_at K T A eqK ks distinct _ _ approx _ _ M loss order H _ change C N) as P.
  unfold most_changed in P. rewrite <- (map_id (_ ++ _)), largest_pairs, !map_app, !map_map in P. exact P.
Qed.
End ChangeOne.
End Parts.
