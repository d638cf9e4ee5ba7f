(** * Composition, adaptive composition, group privacy and general composition, measure by measure *)
From Coq Require Import Reals Lra Lia List.
From DPcore Require Import Distributions Indistinguishability Measures Metrics Norms Combinators Powers Renyi.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

(** ** What the generic sums and maxima are *)
Lemma plus_all_number (ls : list R) : plus_all ls = sum (fun l => l) ls.
Proof. induction ls; simpl; congruence. Qed.
Lemma plus_all_numbers C (l : C -> R) cs : plus_all (map l cs) = sum l cs.
Proof. induction cs; simpl; congruence. Qed.
Lemma plus_all_pairs C (l : C -> R * R) cs : plus_all (map l cs) = (sum (fun c => fst (l c)) cs,
  sum (fun c => snd (l c)) cs).
Proof. induction cs as [|c cs IH]; simpl; [reflexivity|]. now rewrite IH. Qed.
Lemma plus_all_curves C (l : C -> R -> R) cs x : plus_all (map l cs) x = sum (fun c => l c x) cs.
Proof. induction cs as [|c cs IH]; simpl; [reflexivity|]. now rewrite IH. Qed.
Lemma largest_pairs C (l : C -> R * R) cs : largest (map l cs) = (top (map (fun c => fst (l c)) cs),
  top (map (fun c => snd (l c)) cs)).
Proof. induction cs as [|c cs IH]; simpl; [reflexivity|]. now rewrite IH. Qed.

(** ** Releasing all of them: the losses add up *)
Section Compose.
Variables (X A : Type) (m : metric X) (Ms : list (X -> dist A)).

Theorem compose_pure (ls : list (R -> R)) : Forall2 (private m pure) Ms ls ->
  private m pure (all Ms) (fun d => sum (fun l => l d) ls).
Proof. intros H d x y K. rewrite <- plus_all_numbers. exact (compose H d x y K). Qed.

Theorem compose_approx (ls : list (R -> R * R)) : Forall2 (private m approx) Ms ls ->
  private m approx (all Ms) (fun d => (sum (fun l => fst (l d)) ls, sum (fun l => snd (l d)) ls)).
Proof. intros H d x y K. rewrite <- (plus_all_pairs (fun l : R -> R * R => l d)). exact (compose H d x y K). Qed.

Theorem compose_zcdp (ls : list (R -> R)) : Forall2 (private m zcdp) Ms ls ->
  private m zcdp (all Ms) (fun d => sum (fun l => l d) ls).
Proof. intros H d x y K. rewrite <- plus_all_numbers. exact (compose H d x y K). Qed.

Theorem compose_total_variation (ls : list (R -> R)) : Forall2 (private m total_variation) Ms ls ->
  private m total_variation (all Ms) (fun d => sum (fun l => l d) ls).
Proof. intros H d x y K. rewrite <- plus_all_numbers. exact (compose H d x y K). Qed.

(** At one order, whatever the others are. *)
Theorem compose_renyi (alpha : R) (ls : list (R -> R)) : 1 < alpha -> Forall2 (private m (renyi_at alpha)) Ms ls ->
  private m (renyi_at alpha) (all Ms) (fun d => sum (fun l => l d) ls).
Proof.
  intros order H d x y K. induction H as [|M l Ms' ls' H _ IH]; simpl; [apply at_most_same; [exact order | apply same_refl]|].
  apply at_most_bind; [exact order | now apply H |]. intros a. rewrite <- (Rplus_0_r (sum _ ls')).
  apply at_most_bind; [exact order | exact IH | intros; apply at_most_same; [exact order | apply same_refl]].
Qed.

Corollary compose_renyi_curves (ls : list (R -> R -> R)) : Forall2 (private m renyi) Ms ls ->
  private m renyi (all Ms) (fun d alpha => sum (fun l => l d alpha) ls).
Proof.
  intros H d x y K alpha order. rewrite <- (sum_map (fun l => l d) (fun (l : R -> R -> R) d => l d alpha)).
  apply (compose_renyi (alpha := alpha) (ls := map (fun l d => l d alpha) ls)); [exact order | | exact K].
  clear K. induction H as [|M l Ms' ls' H _ IH]; constructor; [|exact IH]. intros e u v E. now apply (H e u v E).
Qed.

(** Profiles and trade-off curves do not add up here: a single one stays as it is. *)
Theorem compose_profile (M : X -> dist A) (l : R -> R -> R) : private m profile M l -> private m profile (all [M]) l.
Proof. intros H d x y K. simpl. apply div_post. now apply H. Qed.

Theorem compose_tradeoff (M : X -> dist A) (l : R -> R -> R) : private m tradeoff M l -> private m tradeoff (all [M]) l.
Proof. intros H d x y K f F. apply (H d x y K). intros a; apply F. Qed.
End Compose.

(** ** Adaptive composition: the losses fixed for neighbours at distance 1 add up, lifted to d *)
Section Adaptive.
Variables (X A : Type) (m : metric X) (choose : list A -> X -> dist A).
Hypothesis steps : whole m.
Hypothesis order : forall seen, respects m (choose seen).
(** Whatever was seen before stage [i], what is chosen there costs at most [l_i]. *)
Notation within_losses ms ls := (forall seen l, nth_error ls (length seen) = Some l -> private_at m ms (choose seen) 1 l).

Theorem adaptive_pure (ls : list R) : Forall (fun l => 0 <= l) ls -> within_losses pure ls ->
  private m pure (adaptive (length ls) choose []) (fun d => d * sum (fun l => l) ls).
Proof. intros N H. rewrite <- plus_all_number. exact (@adaptive_lift _ _ _ _ pure _ _ _ m ls choose steps N order H). Qed.

Theorem adaptive_approx (ls : list (R * R)) : Forall (fun l => 0 <= fst l /\ 0 <= snd l) ls -> within_losses approx ls ->
  private m approx (adaptive (length ls) choose []) (fun d => (d * sum fst ls, sum snd ls * geometric d (sum fst ls))).
Proof.
  intros N H. pose proof (@adaptive_lift _ _ _ _ approx _ _ _ m ls choose steps N order H) as P.
  assert (E : plus_all ls = (sum fst ls, sum snd ls)) by (rewrite <- (map_id ls) at 1; apply plus_all_pairs).
  rewrite E in P. exact P.
Qed.

Theorem adaptive_zcdp (ls : list R) : Forall (fun l => 0 <= l) ls -> within_losses zcdp ls ->
  private m zcdp (adaptive (length ls) choose []) (fun d => d * d * sum (fun l => l) ls).
Proof. intros N H. rewrite <- plus_all_number. exact (@adaptive_lift _ _ _ _ zcdp _ _ _ m ls choose steps N order H). Qed.

Theorem adaptive_total_variation (ls : list R) : Forall (fun l => 0 <= l) ls -> within_losses total_variation ls ->
  private m total_variation (adaptive (length ls) choose []) (fun d => d * sum (fun l => l) ls).
Proof. intros N H. rewrite <- plus_all_number. exact (@adaptive_lift _ _ _ _ total_variation _ _ _ m ls choose steps N
  order H). Qed.
End Adaptive.

(** ** Group privacy: inputs d apart are joined by d steps of 1 *)
Section Group.
Variables (X A : Type) (m : metric X) (M : X -> dist A).
Hypothesis steps : whole m.
Hypothesis order : respects m M.

Theorem group_pure (l : R) : 0 <= l -> private_at m pure M 1 l -> private m pure M (fun d => d * l).
Proof. exact (@lift _ _ _ _ pure _ _ m M l steps order). Qed.

Theorem group_approx (l : R * R) : 0 <= fst l /\ 0 <= snd l -> private_at m approx M 1 l ->
  private m approx M (fun d => (d * fst l, snd l * geometric d (fst l))).
Proof. exact (@lift _ _ _ _ approx _ _ m M l steps order). Qed.

Theorem group_zcdp (l : R) : 0 <= l -> private_at m zcdp M 1 l -> private m zcdp M (fun d => d * d * l).
Proof. exact (@lift _ _ _ _ zcdp _ _ m M l steps order). Qed.

Theorem group_total_variation (l : R) : 0 <= l -> private_at m total_variation M 1 l ->
  private m total_variation M (fun d => d * l).
Proof. exact (@lift _ _ _ _ total_variation _ _ m M l steps order). Qed.

Theorem group_profile (l : R -> R) : (forall eps, 0 <= eps -> 0 <= l eps) -> private_at m profile M 1 l ->
  private m profile M (fun d => group_curve d l).
Proof.
  intros N H. set (l0 := fun eps => if Rle_dec 0 eps then l eps else 0).
  assert (E : forall eps, 0 <= eps -> l0 eps = l eps) by (intros eps I; unfold l0; destruct (Rle_dec 0 eps); lra).
  assert (P : private m profile M (fun d => group_curve d l0)).
  { refine (@lift _ _ _ _ profile _ _ m M l0 steps order _ _).
    - intros eps. unfold l0. simpl. destruct (Rle_dec 0 eps); [now apply N | apply Rle_refl].
    - intros x y D eps I. rewrite (E eps I). exact (H x y D eps I). }
  intros d x y D eps I. specialize (P d x y D eps I). unfold group_curve in *.
  destruct (Req_EM_T _ 0) as [Z|Z]; [exact P|]. rewrite E in P; [exact P|].
  apply Rdiv_nonneg; [exact I|]. pose proof (pos_INR (Z.to_nat (Int_part d))). lra.
Qed.
End Group.

(** ** General composition: the worst of the vectors in [joint], lifted to d *)
Section General.
Variables (X A : Type) (m : metric X) (joint : list (list R)).
Hypothesis steps : whole m.

(** The losses of the parts where the preprocessed data are [v] apart. *)
Definition losses_at {L} (ps : list (prepared X A L)) (v : list R) : list L :=
  map (fun pd => pre_loss (fst pd) (snd pd)) (combine ps v).

(** Each part sees no order; each is private; and a step of 1 moves all of them by at most one vector of [joint]. *)
Definition prepared_for {L} (ms : measure L) (ps : list (prepared X A L)) :=
  (forall p, In p ps -> respects m (prepare p)) /\
  (forall p, In p ps -> private (pre_metric p) ms (pre_measure p) (pre_loss p)) /\
  (forall x y, m 1 x y -> exists v, In v joint /\ Forall2 (fun p d => pre_metric p d (pre p x) (pre p y)) ps v).

Lemma cost_number (ps : list (prepared X A R)) :
  map (cost ps) joint = map (fun v => sum (fun l => l) (losses_at ps v)) joint.
Proof. apply map_ext; intros; apply plus_all_number. Qed.

Theorem general_composition_pure ps : prepared_for pure ps ->
  private m pure (all (map prepare ps)) (fun d => d * top (map (fun v => sum (fun l => l) (losses_at ps v)) joint)).
Proof.
  intros (Z & H & J). rewrite <- cost_number. exact (@general_composition _ _ _ _ pure _ _ _ m ps joint steps Z H J).
Qed.

Theorem general_composition_zcdp ps : prepared_for zcdp ps ->
  private m zcdp (all (map prepare ps)) (fun d => d * d * top (map (fun v => sum (fun l => l) (losses_at ps v)) joint)).
Proof.
  intros (Z & H & J). rewrite <- cost_number. exact (@general_composition _ _ _ _ zcdp _ _ _ m ps joint steps Z H J).
Qed.

Theorem general_composition_total_variation ps : prepared_for total_variation ps ->
  private m total_variation (all (map prepare ps)) (fun d => d * top (map (fun v => sum (fun l => l) (losses_at ps v))
    joint)).
Proof.
  intros (Z & H & J). rewrite <- cost_number. exact (@general_composition _ _ _ _ total_variation _ _ _ m ps joint
    steps Z H J).
Qed.

Theorem general_composition_approx ps : prepared_for approx ps ->
  let eps := top (map (fun v => sum fst (losses_at ps v)) joint) in
  let delta := top (map (fun v => sum snd (losses_at ps v)) joint) in
  private m approx (all (map prepare ps)) (fun d => (d * eps, delta * geometric d eps)).
Proof.
  intros (Z & H & J) eps delta. pose proof (@general_composition _ _ _ _ approx _ _ _ m ps joint steps Z H J) as P.
  rewrite largest_pairs in P.
  assert (E : forall v, cost ps v = (sum fst (losses_at ps v), sum snd (losses_at ps v))).
  { intros v. unfold cost. fold (losses_at ps v). rewrite <- (map_id (losses_at ps v)) at 1. apply plus_all_pairs. }
  rewrite (map_ext (fun v => fst (cost ps v)) _ (fun v => f_equal fst (E v))) in P.
  rewrite (map_ext (fun v => snd (cost ps v)) _ (fun v => f_equal snd (E v))) in P. exact P.
Qed.
End General.
