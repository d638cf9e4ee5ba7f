(** * Advanced composition, or the plain sum where that is less *)
From Coq Require Import ZArith QArith Qreals Reals Lra List.
From DPcore Require Import Distributions Indistinguishability Measures Metrics Combinators Composition.
From DPchecker Require Import Json Language Numbers Losses Rounding Points LongSums TwoPoints Advanced Unequal.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

Section Plain.
Variable md : mode.

Definition advanced_or_plain (m : measure) (slack : Q) (ls : list loss) : option loss :=
  let* k := advanced md m slack ls in Some (Qmin (total md (map fst ls)) (fst k), snd k).

Lemma advanced_or_plain_ok m slack ls k : Forall nonneg_loss ls -> 0 < Q2R slack < 1 -> advanced_or_plain m slack ls = Some k ->
  takes_advanced m = true -> nonneg_loss k /\
  forall X U (Ms : list (X -> dist U)) p x y, Forall2 (fun M l => meets m p (M x) (M y) (real m l)) Ms ls ->
    Forall2 (fun M l => meets m p (M y) (M x) (real m l)) Ms ls -> approx (all Ms x) (all Ms y) (real MApprox k).
Proof.
  unfold advanced_or_plain, bind_option. intros N S H T. destruct (advanced md m slack ls) as [j|] eqn:E; [|discriminate]. injection H as <-.
  pose proof E as E'. destruct (@advanced_ok md m slack ls j N S E T) as [[N1 N2] A].
  assert (P0 : 0 <= Q2R (total md (map fst ls))) by (apply total_nonneg, Forall_map; revert N; apply Forall_impl; intros l [Hl _]; exact Hl).
  split; [split; cbn [fst snd]; [rewrite Q2R_min; apply Rmin_glb; lra | exact N2]|]. intros X U Ms p x y F G. specialize (A X U Ms p x y F G).
  cbn [real fst snd] in *. unfold approx in *. cbn [fst snd] in *. unfold Qmin. destruct (Qle_bool (total md (map fst ls)) (fst j)); [|exact A]. clear A.
  assert (C : match m with MPure | MApprox => True | _ => False end) by (destruct m; try discriminate T; exact Logic.I).
  assert (Pr : Forall2 (private two_points approx) (map (seen x y) Ms)
    (map (fun l (_ : R) => (Q2R (fst (as_pair m l)), Q2R (snd (as_pair m l)))) ls)).
  { clear -N F G C. revert G N. induction F as [|M l Ms ls K _ IH]; intros G N; inversion G; inversion N; subst; simpl; constructor; [|now apply IH].
    apply (@either_private MApprox 0 _ (M x) (M y) (as_pair m l)); [now apply as_pair_nonneg | |]; cbn [meets real]; unfold approx; cbn [fst snd];
    apply as_pair_ind with (p := p); auto. }
  pose proof (compose_approx Pr 0 true false (Rle_refl 0)) as K. cbv zeta beta in K. rewrite (all_seen x y Ms true), (all_seen x y Ms false) in K.
  unfold approx in K. cbn [fst snd] in K.
  assert (Sums : forall (f : loss -> R) ks, Distributions.sum (fun l : R -> R * R => fst (l 0)) (map (fun l (_ : R) => (f l, Q2R (snd (as_pair m l)))) ks) = fold_right (fun l s => f l + s) 0 ks)
    by (intros f ks; induction ks as [|l ks IH]; simpl; [reflexivity | now rewrite IH]).
  assert (Sums' : forall (f : loss -> R) ks, Distributions.sum (fun l : R -> R * R => snd (l 0)) (map (fun l (_ : R) => (Q2R (fst (as_pair m l)), f l)) ks) = fold_right (fun l s => f l + s) 0 ks)
    by (intros f ks; induction ks as [|l ks IH]; simpl; [reflexivity | now rewrite IH]).
  rewrite (Sums (fun l => Q2R (fst (as_pair m l)))), (Sums' (fun l => Q2R (snd (as_pair m l)))) in K.
  eapply ind_weaken; [| | exact K].
  - eapply Rle_trans; [|apply total_ok]. rewrite sum_R_map. right. clear. induction ls as [|l ls IH]; simpl; [reflexivity|]. rewrite IH. destruct m; reflexivity.
  - unfold advanced in E'. destruct (Exponentials.log_above _); [|discriminate]. destruct (drifts_from _ _ _); [|discriminate]. injection E' as <-. cbn [snd].
    eapply Rle_trans; [|apply total_ok]. cbn [sum_R fold_right].
    assert (Z : fold_right (fun l s => Q2R (snd (as_pair m l)) + s) 0 ls <= sum_R match m with MApprox => map snd ls | _ => [] end).
    { destruct m; try contradiction C; cbn [as_pair snd].
      - unfold sum_R; simpl. right. clear. induction ls; simpl; [reflexivity|]. rewrite IHls, Q2R_0. ring.
      - rewrite sum_R_map. right. reflexivity. }
    unfold sum_R in *. lra.
Qed.
End Plain.
