(** * A key drawn apart from the data

    An accepted certificate speaks of every interpretation, so of each order in which a key can rank rows. A release draws the key
    first, by the same chances whatever the data are; one key serves the whole derivation. What is claimed for each key holds for
    the release: drawing the key is a first stage that costs nothing. A trade-off curve is left to [Mixtures.mixture_tradeoff]
    of the theory: it needs the whole curve, convex, and a certificate has points of it. *)
From Coq Require Import String List ZArith QArith Qreals Reals Bool Permutation.
From DPcore Require Import Distributions Measures Mixtures.
From DPchecker Require Import Json Language Alike Meaning Numbers Distances Losses Rounding Compare Promises Cost CostSound Check Decode Domains Printed Verdict.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

(** What a key is to rows: an order that sees them as a multiset, and in which one row more takes a place among the others. *)
Record key_order (T : Type) := {
  ranked :> list T -> list T;
  ranked_order : forall x y, Permutation x y -> ranked x = ranked y;
  ranked_all : forall x, Permutation (ranked x) x;
  ranked_one : forall r x, exists u v, ranked x = (u ++ v)%list /\ ranked (r :: x) = (u ++ r :: v)%list }.

(** The interpretation under a key: all else stays as it is. *)
Definition under (I : interpretation) (s : key_order (row I)) : interpretation := {|
  row := row I; users := users I; value := value I; coordinates := coordinates I; answer := answer I; answers_step := answers_step I;
  person := person I; mapped := mapped I; holds := holds I; class := class I; complete := complete I; new_rows := new_rows I;
  clipped := clipped I; ordered := ordered I; shuffled := ranked s; first_by := first_by I; filling := filling I; Meaning.shown := Meaning.shown I;
  Meaning.before := Meaning.before I; processed := processed I; Meaning.made := Meaning.made I; told := told I; stage := stage I; asks := asks I; asks_at_orders := asks_at_orders I; compares := compares I; patience := patience I; granularity := granularity I;
  mapped_person := mapped_person I; complete_person := complete_person I; ordered_order := ordered_order I;
  shuffled_order := ranked_order s; shuffled_all := ranked_all s; shuffled_one := ranked_one s; first_by_order := first_by_order I;
  before_irrefl := before_irrefl I; before_trans := before_trans I; before_total := before_total I |}.

(** What is released where the key is drawn first. *)
Definition drawn_first (I : interpretation) (K : Type) (key : dist K) (order : K -> key_order (row I)) (n : node) (x : data I) :
  dist (released (users I)) := bind key (fun k => (@denote (under I (order k)) n x : dist (released (users I)))).

Lemma Forall2_all (K X Y : Type) (R : K -> X -> Y -> Prop) xs ys : length xs = length ys ->
  (forall k, Forall2 (R k) xs ys) -> Forall2 (fun x y => forall k, R k x y) xs ys.
Proof.
  revert ys; induction xs as [|x xs IH]; intros [|y ys] L H; try discriminate; constructor.
  - intros k. specialize (H k). now inversion H.
  - apply IH; [now injection L|]. intros k. specialize (H k). now inversion H.
Qed.

Lemma Forall2_weaken (X Y : Type) (R S : X -> Y -> Prop) xs ys : (forall x y, R x y -> S x y) -> Forall2 R xs ys -> Forall2 S xs ys.
Proof. induction 2; constructor; auto. Qed.

Theorem covered_mixture md c cl : covered md c cl = true -> forallb (fun p => on_curve (claimed_measure cl) (fst p)) (claimed cl) = true ->
  claimed_measure cl <> MTradeoff ->
  forall (I : interpretation) (K : Type) (key : dist K) (order : K -> key_order (row I)),
  (forall k, promises (under I (order k)) (derivation c)) -> forall x y : data I, inputs c (d_in cl) x y ->
  forall p, In p (claimed cl) ->
  promise (claimed_measure cl) (fst p) (snd p) (drawn_first I key order (derivation c) x) (drawn_first I key order (derivation c) y).
Proof.
  unfold covered, worked_out. cbv zeta. intros H Cu N I K key order Kept x y At p J. destruct (Qlt_bool 0 (d_in cl)) eqn:E; [|discriminate].
  apply Facts.Qlt_bool_R in E. rewrite Q2R_0 in E. set (xs := map fst (claimed cl)) in *.
  destruct (cost _ _ _ _ _ _) as [js|] eqn:C; [|discriminate].
  assert (Hd : 0 <= Q2R (carried (input_metric c) (d_in cl))).
  { destruct (input_metric c); cbn [carried]; rewrite ?Q2R_mult; try (left; exact E). left. now apply Rmult_lt_0_compat. }
  assert (L : length xs = length js).
  { destruct (Nat.eq_dec (length xs) (length js)) as [L|L]; [exact L|]. exfalso. apply (dist_inhabited key). intros k. apply L.
    now destruct (@cost_ok (under I (order k)) _ (Kept k) md _ _ _ _ _ Hd C) as (_ & L' & _ & _). }
  assert (P : Forall2 (fun q l => meets (claimed_measure cl) (Q2R q) (drawn_first I key order (derivation c) x)
    (drawn_first I key order (derivation c) y) (real (claimed_measure cl) l)) xs js).
  { assert (Each : forall k, Forall2 (close (claimed_measure cl) (derivation c) (x : data (under I (order k))) y) xs js).
    { intros k. destruct (@cost_ok (under I (order k)) _ (Kept k) md _ _ _ _ _ Hd C) as (_ & _ & P & _). apply P.
      exact (@start_known (under I (order k)) c (d_in cl) x y At). }
    apply Forall2_all in Each; [|exact L]. revert Each. apply Forall2_weaken. intros q l F. unfold drawn_first.
    apply (@mixture _ _ _ (divergence_of (Q2R q) N)). intros k. exact (F k). }
  pose proof (@at_all_points_ok (claimed_measure cl) _ (claimed cl) xs js eq_refl L eq_refl H) as F.
  rewrite forallb_forall in Cu. subst xs. clear H L C. revert js P F. induction (claimed cl) as [|k ks IH]; intros js P F; [destruct J|].
  inversion F as [|j ? js' ? F1 F2]; subst. simpl in P. inversion P as [|? ? ? ? P1 P2]; subst. destruct J as [<-|J].
  - apply promise_ok with (l := j); [apply Cu; now left | exact F1 | exact P1].
  - apply IH with (js := js'); auto. intros q Jq. apply Cu. now right.
Qed.

(** What is accepted is private, also where the key is drawn with the release. *)
Theorem verdict_mixture j : verdict_on j = Accepted -> exists c, certificate_ j = Some c /\
  forall cl, In cl (claims c) -> claimed_measure cl <> MTradeoff ->
  forall (I : interpretation) (K : Type) (key : dist K) (order : K -> key_order (row I)),
  (forall k, promises (under I (order k)) (derivation c)) -> forall x y : data I, inputs c (d_in cl) x y ->
  forall p, In p (claimed cl) ->
  promise (claimed_measure cl) (fst p) (snd p) (drawn_first I key order (derivation c) x) (drawn_first I key order (derivation c) y).
Proof.
  unfold verdict_on. destruct (certificate_ j) as [c|]; [|discriminate]. destruct (check c) eqn:E; [|discriminate].
  intros _. exists c; split; [reflexivity|]. intros cl J N. unfold check in E. rewrite !andb_true_iff in E. destruct E as [[[H F] _] _].
  rewrite forallb_forall in H, F. specialize (H cl J). specialize (F cl J). unfold claim_fits in F. cbv zeta in F.
  rewrite !andb_true_iff in F. destruct F as [[_ F] _]. destruct (claim_holds_covered _ _ H) as (md & C).
  exact (@covered_mixture md c cl C F N).
Qed.
