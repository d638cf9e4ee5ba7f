(** * Advanced composition *)
From Coq Require Import ZArith QArith Qreals Reals Lra List Psatz.
From DPcore Require Import Distributions Indistinguishability Measures Metrics Combinators AdvancedComposition ApproxComposition.
From DPchecker Require Import Json Language Numbers Exponentials Losses Rounding Points LongSums TwoPoints Mixed.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

Section Advanced.
Variable md : mode.

(** eps (e^eps - 1)/(e^eps + 1), from above, of each. *)
Fixpoint drifts_above (ls : list loss) : option (list Q) :=
  match ls with
  | [] => Some []
  | l :: ls => match half_way md (fst l), drifts_above ls with Some h, Some ds => Some ((fst l * h)%Q :: ds) | _, _ => None end
  end.

(** The same, where of equal losses side by side one is worked out. *)
Definition half_way_again (known : option (Q * Q)) (e : Q) : option Q :=
  match known with Some (f, h) => if Qeqb e f then Some h else half_way md e | None => half_way md e end.
Fixpoint drifts_from (known : option (Q * Q)) (ls : list loss) : option (list Q) :=
  match ls with
  | [] => Some []
  | l :: ls =>
      match half_way_again known (fst l) with
      | Some h => match drifts_from (Some (fst l, h)) ls with Some ds => Some ((fst l * h)%Q :: ds) | None => None end
      | None => None
      end
  end.
Lemma drifts_from_is ls : forall known, (forall f h, known = Some (f, h) -> half_way md f = Some h) -> drifts_from known ls = drifts_above ls.
Proof.
  induction ls as [|l ls IH]; intros known K; [reflexivity|]. cbn [drifts_from drifts_above].
  assert (half_way_again known (fst l) = half_way md (fst l)) as ->.
  { unfold half_way_again. destruct known as [[f h]|]; [|reflexivity]. destruct (Qeqb (fst l) f) eqn:E; [|reflexivity].
    apply Qeqb_eq in E. rewrite E. symmetry. now apply K. }
  destruct (half_way md (fst l)) as [h|] eqn:H; [|reflexivity]. rewrite IH; [reflexivity|].
  intros f k F. injection F as <- <-. exact H.
Qed.

Definition takes_advanced (m : measure) : bool := match m with MPure | MApprox => true | _ => false end.
Definition advanced (m : measure) (slack : Q) (ls : list loss) : option loss :=
  match log_above (/ slack), drifts_from None ls with
  | Some b, Some ds =>
      let squares := total md (map (fun l => fst l * fst l)%Q ls) in
      Some ((root_above (inject_Z 2 * Qmax0 b * squares) + total md ds)%Q,
            total md (slack :: match m with MApprox => map snd ls | _ => [] end))
  | _, _ => None
  end.

Lemma drifts_above_ok ls ds : Forall nonneg_loss ls -> drifts_above ls = Some ds ->
  fold_right (fun l s => drift (Q2R (fst l)) + s) 0 ls <= sum_R ds /\ 0 <= sum_R ds.
Proof.
  intros N. revert ds. induction N as [|l ls [N1 N2] _ IH]; intros ds H; simpl in H.
  - injection H as <-. simpl. lra.
  - destruct (half_way md (fst l)) as [h|] eqn:E; [|discriminate]. destruct (drifts_above ls) as [es|]; [|discriminate]. injection H as <-.
    destruct (IH es eq_refl). apply half_way_ok in E; [|exact N1]. destruct E as [E E0]. simpl. rewrite Q2R_mult.
    assert (drift (Q2R (fst l)) <= Q2R (fst l) * Q2R h).
    { unfold drift. unfold Rdiv. rewrite Rmult_assoc. apply Rmult_le_compat_l; [exact N1 | exact E]. }
    assert (0 <= Q2R (fst l) * Q2R h) by (apply Rmult_le_pos; lra). lra.
Qed.

Lemma sum_list C D (h : D -> R) (f : C -> D) cs : Distributions.sum h (map f cs) = fold_right (fun c s => h (f c) + s) 0 cs.
Proof. induction cs; simpl; congruence. Qed.

Lemma advanced_ok m slack ls k : Forall nonneg_loss ls -> 0 < Q2R slack < 1 -> advanced m slack ls = Some k ->
  takes_advanced m = true -> nonneg_loss k /\
  forall X U (Ms : list (X -> dist U)) p x y, Forall2 (fun M l => meets m p (M x) (M y) (real m l)) Ms ls ->
    Forall2 (fun M l => meets m p (M y) (M x) (real m l)) Ms ls -> approx (all Ms x) (all Ms y) (real MApprox k).
Proof.
  unfold advanced. rewrite drifts_from_is by discriminate. intros N S H T. destruct (log_above (/ slack)) as [b|] eqn:Lb; [|discriminate].
  destruct (drifts_above ls) as [ds|] eqn:Ld; [|discriminate]. injection H as <-.
  apply log_above_ok in Lb. destruct Lb as [_ Lb]. rewrite Q2R_inv in Lb by (apply Qnonzero_R; lra).
  destruct (drifts_above_ok N Ld) as [Dr D0]. pose proof (total_ok md ds) as Td.
  set (sq := total md (map (fun l => (fst l * fst l)%Q) ls)).
  assert (Sq : fold_right (fun l s => Q2R (fst l) * Q2R (fst l) + s) 0 ls <= Q2R sq).
  { eapply Rle_trans; [|apply total_ok]. rewrite sum_R_map. right. clear. induction ls; simpl; [reflexivity|]. now rewrite IHls, Q2R_mult. }
  pose proof (root_above_ok (inject_Z 2 * Qmax0 b * sq)) as Rt. pose proof (sqrt_pos (Q2R (inject_Z 2 * Qmax0 b * sq))).
  assert (V : Q2R (inject_Z 2 * Qmax0 b * sq) = 2 * Rmax 0 (Q2R b) * Q2R sq) by (unfold Qmax0; now rewrite !Q2R_mult, Q2R_Z, Q2R_max, Q2R_0).
  assert (Slack : forall l, Forall (fun q => 0 <= Q2R q) l -> Q2R slack + sum_R l <= Q2R (total md (slack :: l))).
  { intros l _. exact (total_ok md (slack :: l)). }
  assert (Nd : Forall (fun q => 0 <= Q2R q) (map snd ls)).
  { clear -N. induction N as [|l ls [N1 N2] _ IH]; simpl; constructor; auto. }
  split.
  { split; cbn [fst snd].
    - rewrite Q2R_plus. lra.
    - apply total_nonneg. constructor; [lra|]. destruct m; auto. }
  intros X U Ms p x y F G. pose proof (seen_private x y m p N F G) as P.
  assert (Root : sqrt (2 * ln (1 / Q2R slack) * fold_right (fun l s => Q2R (fst l) * Q2R (fst l) + s) 0 ls) <= Q2R (root_above (inject_Z 2 * Qmax0 b * sq))).
  { eapply Rle_trans; [|exact Rt]. rewrite V. apply sqrt_le_1_alt.
    assert (L0 : 0 < ln (1 / Q2R slack)).
    { rewrite <- ln_1. apply ln_increasing; [lra|]. unfold Rdiv. rewrite Rmult_1_l. rewrite <- Rinv_1 at 1. apply Rinv_lt_contravar; lra. }
    assert (LB : ln (1 / Q2R slack) <= Rmax 0 (Q2R b)).
    { eapply Rle_trans; [|apply Rmax_r]. unfold Rdiv. now rewrite Rmult_1_l. }
    assert (S0 : 0 <= fold_right (fun l s => Q2R (fst l) * Q2R (fst l) + s) 0 ls).
    { clear. induction ls; simpl; [lra|]. nra. }
    apply Rmult_le_compat; nra. }
  rewrite <- (all_seen x y Ms true), <- (all_seen x y Ms false).
  destruct m; try discriminate T.
  - pose proof (@advanced_composition_pure bool _ two_points (map (seen x y) Ms) (map (fun l (_ : R) => Q2R (fst l)) ls) P) as A.
    assert (NN : forall l d, In l (map (fun l (_ : R) => Q2R (fst l)) ls) -> 0 <= l d).
    { intros l d J. apply in_map_iff in J. destruct J as (l' & <- & J). rewrite Forall_forall in N. apply (N l' J). }
    specialize (A ltac:(intros; eapply NN; eassumption) (Q2R slack) S 0 true false (Rle_refl 0)). unfold approx in A. cbn [fst snd] in A.
    unfold AdvancedComposition.squares, AdvancedComposition.drifts in A. rewrite !sum_list in A.
    unfold approx, real. cbn [fst snd]. eapply ind_weaken; [| | exact A].
    + rewrite Q2R_plus. lra.
    + eapply Rle_trans; [|apply (Slack [] ltac:(constructor))]. simpl; lra.
  - pose proof (@advanced_composition_approx bool _ two_points (map (seen x y) Ms) (map (fun l (_ : R) => (Q2R (fst l), Q2R (snd l))) ls) P) as A.
    assert (NN : forall l d, In l (map (fun l (_ : R) => (Q2R (fst l), Q2R (snd l))) ls) -> 0 <= fst (l d) /\ 0 <= snd (l d)).
    { intros l d J. apply in_map_iff in J. destruct J as (l' & <- & J). rewrite Forall_forall in N. apply (N l' J). }
    specialize (A ltac:(intros; eapply NN; eassumption) (Q2R slack) S 0 true false (Rle_refl 0)). unfold approx in A. cbn [fst snd] in A.
    unfold AdvancedComposition.squares, AdvancedComposition.drifts, epsilons, total_delta in A. rewrite !map_map, !sum_list in A. cbn [fst snd] in A.
    unfold approx, real. cbn [fst snd]. eapply ind_weaken; [| | exact A].
    + rewrite Q2R_plus. lra.
    + eapply Rle_trans; [|apply (Slack (map snd ls) Nd)]. rewrite sum_R_map. apply Rplus_le_compat_l; right; reflexivity.
Qed.
End Advanced.
