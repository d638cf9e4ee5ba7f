(** * Parallel composition of one measurement: the same on every part

    With the same measurement on each part what was said of all parts is said of it alone: a row more or less costs its loss; a
    row replaced costs [change] inside a part, and twice its loss where it leaves one part and enters another. *)
From Coq Require Import Reals Lra Lia List.
From DPcore Require Import Distributions Indistinguishability Measures Metrics Norms Combinators Partition Parallel ParallelRules Powers Renyi
  Composition GaussianDP GaussianComposition GroupCurves ApproxZcdp.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

(** Of numbers, pairs and curves the larger of two is the least that is above both. *)
Class least_above {L} (O : losses L) := join_le : forall a b c : L, le a c -> le b c -> le (join a b) c.
#[export] Instance least_number : least_above losses_number.
Proof. intros a b c. apply Rmax_lub. Qed.
#[export] Instance least_pair : least_above losses_pair.
Proof. intros a b c [H1 H2] [K1 K2]. split; now apply Rmax_lub. Qed.
#[export] Instance least_curve : least_above losses_curve.
Proof. intros a b c H K x. now apply Rmax_lub. Qed.

Lemma largest_within L (O : losses L) (J : least_above O) (ls : list L) w : le zero w -> (forall l, In l ls -> le l w) -> le (largest ls) w.
Proof.
  intros Z H. induction ls as [|l ls IH]; [exact Z|]. apply join_le; [apply H; now left | apply IH; intros; apply H; now right].
Qed.

Section Alike.
Variables (K T A : Type) (eqK : forall a b : K, {a = b} + {a <> b}) (ks : list K) (M : list T -> dist A).
Hypothesis distinct : NoDup ks.
Hypothesis order : respects symmetric M.

Definition on_every_part : (K -> list T) -> dist (list A) := parallel (fun _ => M) ks.

Lemma on_every_part_respects (m : metric (K -> list T)) :
  (forall p q, m 0 p q -> forall k, In k ks -> symmetric 0 (p k) (q k)) -> respects m on_every_part.
Proof. apply parallel_respects. auto. Qed.
Lemma nothing_in_parts (p q : K -> list T) : parts_symmetric ks 0 p q -> forall k, In k ks -> symmetric 0 (p k) (q k).
Proof.
  intros (ls & rs & E & S) k I. apply (INR_le _ 0) in S. pose proof (E k I) as F.
  rewrite (size_0 distinct ls ltac:(lia) k I), (size_0 distinct rs ltac:(lia) k I) in F. exists [], []; split; [exact F | simpl; lra].
Qed.
Lemma nothing_replaced (p q : K -> list T) : parts_change_one ks 0 p q -> forall k, In k ks -> symmetric 0 (p k) (q k).
Proof.
  intros (ls & rs & E & S) k I. apply (INR_le _ 0) in S. pose proof (E k I) as F.
  rewrite (size_0 distinct ls ltac:(lia) k I), (size_0 distinct rs ltac:(lia) k I) in F. exists [], []; split; [exact F | simpl; lra].
Qed.

Section Steps.
Context {L : Type} {O : losses L} {J : least_above O} (ms : measure L) {D : divergence ms}.
Variables (loss change : L).
Hypothesis nonneg : le zero loss.
Hypothesis moved : private_at symmetric ms M 1 loss.

Lemma alike_symmetric_step : private_at (parts_symmetric ks) ms on_every_part 1 loss.
Proof.
  intros p q S. apply div_le with (2 := parallel_symmetric_step eqK distinct (ms := ms) (fun _ => M) (fun _ => loss) (fun _ _ => order) (fun _ _ => moved) S).
  apply (largest_within J); [exact nonneg|]. intros l I. apply in_map_iff in I. destruct I as (k & <- & _). apply le_refl.
Qed.

Context {C : composes ms}.
Hypothesis changed : private_at change_one ms M 1 change.

Lemma alike_change_one_step : private_at (parts_change_one ks) ms on_every_part 1 (join change (plus loss loss)).
Proof.
  intros p q S. apply div_le with (2 := parallel_change_one_step eqK distinct (ms := ms) (fun _ => M) (fun _ => loss) (fun _ _ => order) (fun _ _ => moved)
    (fun _ => change) (fun _ _ => changed) (fun _ _ => nonneg) S).
  assert (Twice : le loss (plus loss loss)) by (rewrite <- (plus_zero loss) at 1; apply plus_le; [exact nonneg | apply le_refl]).
  apply (largest_within J).
  - apply le_trans with (plus loss loss); [apply le_trans with loss; assumption | apply join_r].
  - intros l I. apply in_app_or in I. destruct I as [I|I]; [|apply in_app_or in I; destruct I as [I|I]]; apply in_map_iff in I; destruct I as (k & <- & _).
    + apply join_l.
    + apply le_trans with (plus loss loss); [exact Twice | apply join_r].
    + apply join_r.
Qed.
End Steps.

(** ** Of any distance *)
Section Lifted.
Context {L : Type} {O : losses L} {J : least_above O} (ms : measure L) {D : divergence ms} {G : groups ms}.
Variables (loss change : L).
Hypothesis nonneg : le zero loss.
Hypothesis moved : private_at symmetric ms M 1 loss.

Lemma alike_symmetric : private (parts_symmetric ks) ms on_every_part (fun d => group d loss).
Proof.
  apply (lift (D := D)); [exact (whole_parts_symmetric eqK distinct) | | exact nonneg | now apply alike_symmetric_step].
  apply on_every_part_respects. exact nothing_in_parts.
Qed.

Context {C : composes ms}.
Hypothesis changed : private_at change_one ms M 1 change.

Lemma alike_change_one : private (parts_change_one ks) ms on_every_part (fun d => group d (join change (plus loss loss))).
Proof.
  apply (lift (D := D)); [exact (whole_parts_change_one eqK distinct) | | | now apply alike_change_one_step].
  - apply on_every_part_respects. exact nothing_replaced.
  - apply le_trans with (plus loss loss); [|apply join_r]. rewrite <- (plus_zero zero). now apply plus_le.
Qed.
End Lifted.

(** ** Measure by measure *)
Theorem parallel_alike_symmetric_pure loss : 0 <= loss -> private_at symmetric pure M 1 loss ->
  private (parts_symmetric ks) pure on_every_part (fun d => d * loss).
Proof. exact (@alike_symmetric _ _ _ pure _ _ loss). Qed.
Theorem parallel_alike_symmetric_zcdp loss : 0 <= loss -> private_at symmetric zcdp M 1 loss ->
  private (parts_symmetric ks) zcdp on_every_part (fun d => d * d * loss).
Proof. exact (@alike_symmetric _ _ _ zcdp _ _ loss). Qed.
Theorem parallel_alike_symmetric_gaussian loss : 0 <= loss -> private_at symmetric gaussian M 1 loss ->
  private (parts_symmetric ks) gaussian on_every_part (fun d => d * d * loss).
Proof. exact (@alike_symmetric _ _ _ gaussian _ _ loss). Qed.
Theorem parallel_alike_symmetric_total_variation loss : 0 <= loss -> private_at symmetric total_variation M 1 loss ->
  private (parts_symmetric ks) total_variation on_every_part (fun d => d * loss).
Proof. exact (@alike_symmetric _ _ _ total_variation _ _ loss). Qed.
Theorem parallel_alike_symmetric_approx eps delta : 0 <= eps /\ 0 <= delta -> private_at symmetric approx M 1 (eps, delta) ->
  private (parts_symmetric ks) approx on_every_part (fun d => (d * eps, delta * geometric d eps)).
Proof. exact (@alike_symmetric _ _ _ approx _ _ (eps, delta)). Qed.
Theorem parallel_alike_symmetric_profile loss : (forall eps, 0 <= loss eps) -> private_at symmetric profile M 1 loss ->
  private (parts_symmetric ks) profile on_every_part (fun d => group_curve d loss).
Proof. exact (@alike_symmetric _ _ _ profile _ _ loss). Qed.
Theorem parallel_alike_symmetric_renyi loss : (forall alpha, 0 <= loss alpha) -> private_at symmetric renyi M 1 loss ->
  private (parts_symmetric ks) renyi on_every_part (fun d => group_orders loss (Z.to_nat (Int_part d))).
Proof.
  intros N H. apply group_renyi; [exact (whole_parts_symmetric eqK distinct) | apply on_every_part_respects; exact nothing_in_parts |].
  exact (@alike_symmetric_step _ _ _ renyi _ loss N H).
Qed.
(** Between data 1 apart. *)
Theorem parallel_alike_symmetric_approximate_zcdp rho delta : 0 <= rho /\ 0 <= delta -> private_at symmetric approximate_zcdp M 1 (rho, delta) ->
  private_at (parts_symmetric ks) approximate_zcdp on_every_part 1 (rho, delta).
Proof. exact (@alike_symmetric_step _ _ _ approximate_zcdp _ (rho, delta)). Qed.

Notation both ms loss change := (private_at symmetric ms M 1 loss /\ private_at change_one ms M 1 change).

Theorem parallel_alike_change_one_pure loss change : 0 <= loss -> both pure loss change ->
  private (parts_change_one ks) pure on_every_part (fun d => d * Rmax change (loss + loss)).
Proof. intros N [H C]. exact (@alike_change_one _ _ _ pure _ _ loss change N H _ C). Qed.
Theorem parallel_alike_change_one_zcdp loss change : 0 <= loss -> both zcdp loss change ->
  private (parts_change_one ks) zcdp on_every_part (fun d => d * d * Rmax change (loss + loss)).
Proof. intros N [H C]. exact (@alike_change_one _ _ _ zcdp _ _ loss change N H _ C). Qed.
Theorem parallel_alike_change_one_gaussian loss change : 0 <= loss -> both gaussian loss change ->
  private (parts_change_one ks) gaussian on_every_part (fun d => d * d * Rmax change (loss + loss)).
Proof. intros N [H C]. exact (@alike_change_one _ _ _ gaussian _ _ loss change N H _ C). Qed.
Theorem parallel_alike_change_one_total_variation loss change : 0 <= loss -> both total_variation loss change ->
  private (parts_change_one ks) total_variation on_every_part (fun d => d * Rmax change (loss + loss)).
Proof. intros N [H C]. exact (@alike_change_one _ _ _ total_variation _ _ loss change N H _ C). Qed.
Theorem parallel_alike_change_one_approx eps delta eps' delta' : 0 <= eps /\ 0 <= delta -> both approx (eps, delta) (eps', delta') ->
  private (parts_change_one ks) approx on_every_part
    (fun d => (d * Rmax eps' (eps + eps), Rmax delta' (delta + delta) * geometric d (Rmax eps' (eps + eps)))).
Proof. intros N [H C]. exact (@alike_change_one _ _ _ approx _ _ (eps, delta) (eps', delta') N H _ C). Qed.
Theorem parallel_alike_change_one_renyi loss change : (forall alpha, 0 <= loss alpha) -> both renyi loss change ->
  private (parts_change_one ks) renyi on_every_part
    (fun d => group_orders (fun alpha => Rmax (change alpha) (loss alpha + loss alpha)) (Z.to_nat (Int_part d))).
Proof.
  intros N [H C]. apply group_renyi; [exact (whole_parts_change_one eqK distinct) | apply on_every_part_respects; exact nothing_replaced |].
  exact (@alike_change_one_step _ _ _ renyi _ loss change N H _ C).
Qed.
End Alike.

(** ** RenyiDP with a measurement for each part: at each order as of a number *)
Lemma largest_at (ls : list (R -> R)) alpha : largest ls alpha = top (map (fun l => l alpha) ls).
Proof. induction ls as [|l ls IH]; simpl; [reflexivity | now rewrite IH]. Qed.

Theorem parallel_symmetric_renyi K T A (eqK : forall a b : K, {a = b} + {a <> b}) (ks : list K) (M : K -> list T -> dist A) (loss : K -> R -> R) :
  NoDup ks -> (forall k, In k ks -> respects symmetric (M k)) ->
  (forall k, In k ks -> private_at symmetric renyi (M k) 1 (loss k)) ->
  private (parts_symmetric ks) renyi (parallel M ks)
    (fun d => group_orders (fun alpha => top (map (fun k => loss k alpha) ks)) (Z.to_nat (Int_part d))).
Proof.
  intros N Z H. apply group_renyi; [exact (whole_parts_symmetric eqK N) | apply parallel_respects; [exact Z | now apply nothing_in_parts] |].
  intros p q S alpha O. pose proof (parallel_symmetric_step eqK N (ms := renyi) M loss Z H S alpha O) as P.
  unfold most_moved in P. rewrite largest_at, map_map in P. exact P.
Qed.

Theorem parallel_change_one_renyi K T A (eqK : forall a b : K, {a = b} + {a <> b}) (ks : list K) (M : K -> list T -> dist A) (loss change : K -> R -> R) :
  NoDup ks -> (forall k, In k ks -> respects symmetric (M k)) ->
  (forall k, In k ks -> private_at symmetric renyi (M k) 1 (loss k)) /\ (forall k, In k ks -> private_at change_one renyi (M k) 1 (change k)) ->
  (forall k alpha, In k ks -> 0 <= loss k alpha) ->
  private (parts_change_one ks) renyi (parallel M ks)
    (fun d => group_orders (fun alpha => worst eqK ks (fun k => change k alpha) (fun k => loss k alpha)) (Z.to_nat (Int_part d))).
Proof.
  intros N Z [H C] L0. apply group_renyi; [exact (whole_parts_change_one eqK N) | apply parallel_respects; [exact Z | now apply nothing_replaced] |].
  assert (L1 : forall k, In k ks -> le zero (loss k)) by (intros k I alpha; exact (L0 k alpha I)).
  intros p q S alpha O. pose proof (parallel_change_one_step eqK N (ms := renyi) M loss Z H change C L1 S alpha O) as P.
  unfold most_changed in P. rewrite largest_at, !map_app, !map_map in P. exact P.
Qed.
