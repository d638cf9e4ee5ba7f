(** * Transformations: a tree of them moves data no further than [far] says *)
From Coq Require Import String List ZArith QArith Qreals Reals Lra.
From DPcore Require Import Metrics.
From DPchecker Require Import Language Meaning Numbers Distances Promises Stability.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.
Unset Strict Implicit.

Section Far.
Variable I : interpretation.
Notation data := (data I).

Definition at_all (f : list dmap) (d : R) : R := fold_left (fun d f => at_r f d) f d.

Lemma run_nothing n : run n (NoData : data) = NoData.
Proof.
  induction n as [r ps IH] using node_ind'. destruct r; try reflexivity.
  induction IH as [|p ps Hp _ IHps]; [reflexivity|]. simpl in *. now rewrite Hp.
Qed.

Definition good_map (f : list dmap) : Prop := Forall nonneg_map f.

Lemma at_r_nonneg f d : nonneg_map f -> 0 <= d -> 0 <= at_r f d.
Proof. intros N Hd. rewrite <- (at_r_0 f). apply at_r_le; [exact N | lra]. Qed.

Lemma at_all_nonneg f d : good_map f -> 0 <= d -> 0 <= at_all f d.
Proof. intros G; revert d; induction G as [|f fs N _ IH]; intros d Hd; simpl; [exact Hd | apply IH, at_r_nonneg; auto]. Qed.
Lemma at_all_0 f : at_all f 0 = 0.
Proof. induction f as [|f fs IH]; simpl; [reflexivity | now rewrite at_r_0]. Qed.
Lemma at_all_le f a b : good_map f -> 0 <= a <= b -> at_all f a <= at_all f b.
Proof.
  intros G; revert a b; induction G as [|f fs N _ IH]; intros a b H; simpl; [lra|].
  apply IH. split; [apply at_r_nonneg; auto; lra | now apply at_r_le].
Qed.
Lemma at_all_q f d : good_map f -> 0 <= Q2R d -> at_all f (Q2R d) <= Q2R (fold_left (fun d f => at_q f d) f d).
Proof.
  intros G; revert d; induction G as [|f fs N G IH]; intros d Hd; simpl; [lra|].
  pose proof (at_q_ok f d). pose proof (at_r_nonneg N Hd). eapply Rle_trans; [|apply IH; lra].
  apply at_all_le; [exact G | lra].
Qed.

Definition followed (n : node) : Prop := promises I n -> forall fs gs f, far n fs = Some (gs, f) -> good_map f /\
  forall d x y, 0 <= d -> known fs d x y -> known_or_nothing gs (at_all f d) (run n x : data) (run n y).

Lemma far_rule_followed r ps fs gs f : r <> Chain -> promise_of I r ps ->
  match ps with [] => match far_rule r fs with Some (gs, f) => Some (gs, [f]) | None => None end | _ => None end = Some (gs, f) ->
  good_map f /\ forall d x y, 0 <= d -> known fs d x y -> known_or_nothing gs (at_all f d) (run (Tree r ps) x : data) (run (Tree r ps) y).
Proof.
  intros N Kept H. destruct ps; [|discriminate]. destruct (far_rule r fs) as [[g h]|] eqn:E; [|discriminate]. injection H as <- <-.
  pose proof (@far_rule_ok I r fs g h Kept E) as [G E2]; clear E; rename E2 into E. split; [now constructor|]. intros d x y Hd K. specialize (E d x y Hd K).
  destruct r; try exact E. contradiction.
Qed.

Theorem far_ok n : followed n.
Proof.
  induction n as [r ps IH] using node_ind'. intros Kept fs gs f H. destruct (promises_all Kept) as [Own Kept_below]. clear Kept.
  destruct r; try (apply far_rule_followed; [discriminate | exact Own | exact H]). clear Own.
  revert fs gs f H. induction IH as [|p ps Hp _ IHps]; inversion Kept_below as [|u v Kp Kps]; subst; intros fs gs f H.
  - injection H as <- <-. split; [constructor|]. intros d x y Hd K. now left.
  - cbn [far] in H. destruct (far p fs) as [[hs g]|] eqn:E; [|discriminate].
    change (match far (Tree Chain ps) hs with Some (gs, h) => Some (gs, g ++ h) | None => None end = Some (gs, f)) in H.
    destruct (far (Tree Chain ps) hs) as [[ks h]|] eqn:F; [|discriminate]. injection H as <- <-.
    destruct (Hp Kp fs hs g E) as [G1 S1]. destruct (IHps Kps hs ks h F) as [G2 S2].
    split; [apply Forall_app; auto|]. intros d x y Hd K.
    change (run (Tree Chain (p :: ps)) x) with (run (Tree Chain ps) (run p x)).
    change (run (Tree Chain (p :: ps)) y) with (run (Tree Chain ps) (run p y)).
    unfold at_all. rewrite fold_left_app. fold (at_all g d). fold (at_all h (at_all g d)).
    destruct (S1 d x y Hd K) as [K1|[N1 N2]].
    + apply S2; [now apply at_all_nonneg | exact K1].
    + rewrite N1, N2, !run_nothing. right; split; reflexivity.
Qed.

(** ** Facts are symmetric *)
Lemma apart_sym m d (x y : data) : apart m d x y -> apart m d y x.
Proof.
  destruct m as [| | | | | | | | |w| | |]; try destruct w; destruct x, y; cbn [apart]; try tauto;
  intros K; repeat match goal with K : _ = _ /\ _ |- _ => destruct K as [? K] end; subst;
  repeat match goal with |- _ = _ /\ _ => split; [reflexivity|] end; now apply within_sym.
Qed.
Lemma known_sym fs d (x y : data) : known fs d x y -> known fs d y x.
Proof.
  unfold known; rewrite !Forall_forall. intros K f J. specialize (K f J). destruct f; simpl in *; [now apply apart_sym | ..];
  destruct x, y; try tauto; destruct K; split; congruence.
Qed.
End Far.
