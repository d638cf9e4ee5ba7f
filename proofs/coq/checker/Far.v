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

Fixpoint reach_all (fs : list dmap) (d : R) : Prop := match fs with [] => True | f :: fs => reaches f d /\ reach_all fs (at_r f d) end.

Lemma at_r_nonneg f d : nonneg_map f -> 0 <= d -> reaches f d -> 0 <= at_r f d.
Proof. intros N Hd V. rewrite <- (at_r_0 f). apply at_r_le; [exact N | lra | exact V]. Qed.

Lemma at_all_nonneg f d : good_map f -> 0 <= d -> reach_all f d -> 0 <= at_all f d.
Proof.
  intros G; revert d; induction G as [|f fs N _ IH]; intros d Hd V; simpl; [exact Hd|]. destruct V as [V W].
  apply IH; [now apply at_r_nonneg | exact W].
Qed.
Lemma at_all_0 f : at_all f 0 = 0.
Proof. induction f as [|f fs IH]; simpl; [reflexivity | now rewrite at_r_0]. Qed.
Lemma reach_all_0 f : reach_all f 0.
Proof. induction f as [|f fs IH]; simpl; [exact Logic.I|]. rewrite at_r_0. split; [apply reaches_0 | exact IH]. Qed.
Lemma at_all_le f a b : good_map f -> 0 <= a <= b -> reach_all f b -> reach_all f a /\ at_all f a <= at_all f b.
Proof.
  intros G; revert a b; induction G as [|f fs N _ IH]; intros a b H V; simpl; [split; [exact Logic.I | lra]|]. destruct V as [V W].
  assert (Va : reaches f a) by (apply reaches_le with b; [lra | exact V]).
  assert (C : 0 <= at_r f a <= at_r f b) by (split; [apply at_r_nonneg; auto; lra | now apply at_r_le]).
  destruct (IH _ _ C W). auto.
Qed.
Lemma at_all_ok f d e : good_map f -> 0 <= Q2R d -> through f d = Some e -> reach_all f (Q2R d) /\ at_all f (Q2R d) <= Q2R e.
Proof.
  intros G; revert d; induction G as [|f fs N G IH]; intros d Hd H; simpl in H.
  - apply some_inj in H. subst e. split; [exact Logic.I | apply Rle_refl].
  - destruct (at_q f d) as [u|] eqn:E; [|discriminate]. destruct (at_q_ok N E) as [V L]. pose proof (at_r_nonneg N Hd V) as Z.
    destruct (IH u ltac:(lra) H) as [W M]. destruct (@at_all_le fs (at_r f (Q2R d)) (Q2R u) G (conj Z L) W) as [W' M'].
    split; [split; assumption|]. simpl. lra.
Qed.

Lemma reach_all_app f g d : reach_all (f ++ g) d -> reach_all f d /\ reach_all g (at_all f d).
Proof. revert d; induction f as [|h f IH]; intros d; simpl; [auto|]. intros [V W]. apply IH in W. tauto. Qed.

Definition followed (n : node) : Prop := promises I n -> forall fs gs f, far n fs = Some (gs, f) -> good_map f /\
  forall d x y, 0 <= d -> reach_all f d -> known fs d x y -> known_or_nothing gs (at_all f d) (run n x : data) (run n y).

Lemma far_rule_followed r ps fs gs f : r <> Chain -> promise_of I r ps ->
  match ps with [] => match far_rule r fs with Some (gs, f) => Some (gs, [f]) | None => None end | _ => None end = Some (gs, f) ->
  good_map f /\ forall d x y, 0 <= d -> reach_all f d -> known fs d x y ->
    known_or_nothing gs (at_all f d) (run (Tree r ps) x : data) (run (Tree r ps) y).
Proof.
  intros N Kept H. destruct ps; [|discriminate]. destruct (far_rule r fs) as [[g h]|] eqn:E; [|discriminate]. injection H as <- <-.
  pose proof (@far_rule_ok I r fs g h Kept E) as [G E2]; clear E; rename E2 into E. split; [now constructor|]. intros d x y Hd [V _] K. specialize (E d x y Hd V K).
  destruct r; try exact E. contradiction.
Qed.

Theorem far_ok n : followed n.
Proof.
  induction n as [r ps IH] using node_ind'. intros Kept fs gs f H. destruct (promises_all Kept) as [Own Kept_below]. clear Kept.
  destruct r; try (apply far_rule_followed; [discriminate | exact Own | exact H]). clear Own.
  revert fs gs f H. induction IH as [|p ps Hp _ IHps]; inversion Kept_below as [|u v Kp Kps]; subst; intros fs gs f H.
  - injection H as <- <-. split; [constructor|]. intros d x y Hd _ K. now left.
  - cbn [far] in H. destruct (far p fs) as [[hs g]|] eqn:E; [|discriminate].
    change (match far (Tree Chain ps) hs with Some (gs, h) => Some (gs, g ++ h) | None => None end = Some (gs, f)) in H.
    destruct (far (Tree Chain ps) hs) as [[ks h]|] eqn:F; [|discriminate]. injection H as <- <-.
    destruct (Hp Kp fs hs g E) as [G1 S1]. destruct (IHps Kps hs ks h F) as [G2 S2].
    split; [apply Forall_app; auto|]. intros d x y Hd V K. apply reach_all_app in V. destruct V as [V1 V2].
    change (run (Tree Chain (p :: ps)) x) with (run (Tree Chain ps) (run p x)).
    change (run (Tree Chain (p :: ps)) y) with (run (Tree Chain ps) (run p y)).
    unfold at_all. rewrite fold_left_app. fold (at_all g d). fold (at_all h (at_all g d)).
    destruct (S1 d x y Hd V1 K) as [K1|[N1 N2]].
    + apply S2; [now apply at_all_nonneg | exact V2 | exact K1].
    + rewrite N1, N2, !run_nothing. right; split; reflexivity.
Qed.
End Far.
