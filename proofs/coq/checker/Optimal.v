(** * Optimal composition of equal losses: of unequal ones the largest counts for all *)
From Coq Require Import ZArith QArith Qreals Reals Lra Lia List.
From DPcore Require Import Distributions Indistinguishability Measures Metrics Norms Combinators OptimalComposition ApproxComposition.
From DPchecker Require Import Json Language Numbers OptimalAbove Losses Worst Points TwoPoints.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

Definition optimal_delta (k : positive) (w : loss) (x : Q) : option loss :=
  let* delta := optimal_approx_above k (fst w) (snd w) x in Some (Qmax0 delta, 0%Q).
Definition optimal (k : positive) (w : loss) (xs : list Q) : option (list loss) := all_of (optimal_delta k w) xs.

Lemma optimal_delta_nonneg k w x j : optimal_delta k w x = Some j -> nonneg_loss j.
Proof.
  unfold optimal_delta, bind_option. destruct (optimal_approx_above _ _ _ _); [|discriminate].
  intros H; injection H as <-. apply nonneg_figure, Qmax0_nonneg.
Qed.

Lemma top_same c l : 0 <= c -> l <> [] -> Forall (fun a => a = c) l -> top l = c.
Proof.
  intros C N F. destruct F as [|a l -> F]; [now destruct N|]. clear N. simpl. apply Rmax_left. induction F as [|a l -> _ IH]; simpl; [lra | apply Rmax_lub; lra].
Qed.

(** What is worked out at a point: a delta that is sound, as (epsilon, delta) of the worst. *)
Lemma optimal_delta_ok X A (Ms : list (X -> dist A)) (w : loss) k x y pt j : nonneg_loss w -> Pos.to_nat k = length Ms -> optimal_delta k w pt = Some j ->
  Forall (fun M => approx (M x) (M y) (real MApprox w) /\ approx (M y) (M x) (real MApprox w)) Ms ->
  meets MProfile (Q2R pt) (all Ms x) (all Ms y) (Q2R (fst j)).
Proof.
  intros [N1 N2] K H F X0. unfold optimal_delta, bind_option in H. destruct (optimal_approx_above k (fst w) (snd w) pt) as [q|] eqn:E; [|discriminate].
  injection H as <-. cbn [fst]. apply optimal_approx_above_ok in E. cbv zeta in E.
  assert (Pr : Forall2 (private two_points approx) (map (seen x y) Ms) (map (fun _ (_ : R) => real MApprox w) Ms)).
  { clear -F N1 N2. induction F as [|M Ms [H1 H2] _ IH]; simpl; constructor; [|exact IH]. exact (either_private MApprox 0 (M x) (M y) (conj N1 N2) H1 H2). }
  pose proof (optimal_composition_approx Pr 0 true false (Rle_refl 0) X0) as C. cbv zeta beta in C. rewrite !map_map, !map_length in C.
  assert (Ne : Ms <> []) by (intros ->; simpl in K; lia).
  assert (Top : forall c, 0 <= c -> top (map (fun _ : X -> dist A => c) Ms) = c).
  { intros c Hc. apply top_same; [exact Hc | destruct Ms; [now destruct Ne | discriminate] | apply Forall_map, Forall_forall; auto]. }
  cbn [real fst snd] in C. rewrite !Top in C by assumption. rewrite <- K in C. rewrite (all_seen x y Ms true), (all_seen x y Ms false) in C.
  apply ind_weaken with (3 := C); [apply Rle_refl|]. eapply Rle_trans; [exact E | apply Qmax0_ge].
Qed.

Definition takes_optimal (m : measure) : bool := match m with MPure | MApprox => true | _ => false end.

(** Losses of premises, as (epsilon, delta), are at most the worst. *)
Lemma as_approx m p A (P Q : dist A) l w : takes_optimal m = true -> at_most l w -> nonneg_loss w -> meets m p P Q (real m l) -> approx P Q (real MApprox w).
Proof.
  intros T [H1 H2] [_ N]. destruct m; try discriminate T; cbn [meets real]; unfold pure, approx; cbn [fst snd]; apply ind_weaken; assumption.
Qed.

Theorem optimal_ok m X A (Ms : list (X -> dist A)) p ls k x y xs js : takes_optimal m = true -> Pos.to_nat k = length Ms -> optimal k (worst ls) xs = Some js ->
  Forall nonneg_loss js /\ length xs = length js /\
  (Forall2 (fun M l => meets m p (M x) (M y) (real m l)) Ms ls -> Forall2 (fun M l => meets m p (M y) (M x) (real m l)) Ms ls ->
    Forall2 (fun q j => meets MProfile (Q2R q) (all Ms x) (all Ms y) (Q2R (fst j))) xs js).
Proof.
  intros T K H. apply all_of_ok in H. split; [|split; [exact (Forall2_lengths H)|]].
  - apply Forall2_Forall_r with (2 := H). intros q j. apply optimal_delta_nonneg.
  - intros H1 H2. apply Forall2_weaken with (2 := H). intros q j E. apply (@optimal_delta_ok X A Ms (worst ls) k x y q j (worst_nonneg ls) K E).
    clear -T H1 H2. assert (B : forall l, In l ls -> at_most l (worst ls)) by (intros; now apply worst_ge).
    pose proof (worst_nonneg ls) as N. set (w := worst ls) in *. clearbody w. induction H1 as [|M l Ms ls K1 _ IH]; inversion H2; subst; constructor.
    + split; apply as_approx with (l := l) (m := m) (p := p); auto; apply B; now left.
    + apply IH; auto. intros; apply B; now right.
Qed.
