(** * What a user promises of a measurement

    Figures at some distances; of a curve, at some of its points. What is promised at a distance holds at every smaller one. *)
From Coq Require Import List QArith Qreals Reals Lra Bool.
From DPcore Require Import Distributions.
From DPchecker Require Import Json Language Meaning Numbers Tables Distances Losses Points Promises Facts.
Import ListNotations.
Set Implicit Arguments.
Unset Strict Implicit.

(** Of two losses the one that comes first as a pair. *)
Definition lower_loss (k l : loss) : loss :=
  if Qlt_bool (fst k) (fst l) then k else if Qlt_bool (fst l) (fst k) then l else if Qle_bool (snd k) (snd l) then k else l.

Section Promised.
Variables (m : measure) (promised : list (Q * (Q * loss))).
Definition at_point (x : Q) (p : Q * (Q * loss)) : bool := if curved m then Qeq_bool (fst (snd p)) x else true.
Definition said (d x : Q) : option loss :=
  let* l := promised_at lower_loss (map (fun p => (fst p, written m (fst (snd p)) (snd (snd p)))) (filter (at_point x) promised)) d in
  let* _ := guard (Qle_bool 0 (fst l)) in let* _ := guard (Qle_bool 0 (snd l)) in Some l.
Definition claimed_cost (xs : list Q) (d : Q) : option (list loss) := all_of (said d) xs.

Open Scope R_scope.
Variables (I : interpretation) (f map_ : func) (source : metric).
Hypothesis kept : promise_of I (ClaimedMeasurement f map_ source m promised) [].
Notation M := (told I f map_).

Lemma lower_loss_either k l : lower_loss k l = k \/ lower_loss k l = l.
Proof. unfold lower_loss. destruct (Qlt_bool (fst k) (fst l)), (Qlt_bool (fst l) (fst k)), (Qle_bool (snd k) (snd l)); auto. Qed.

Lemma said_ok d x l : said d x = Some l -> nonneg_loss l /\
  forall u v : data I, apart source (Q2R d) u v -> meets m (Q2R x) (M u) (M v) (real m l).
Proof.
  unfold said, bind_option, guard. destruct (promised_at _ _ d) as [k|] eqn:E; [|discriminate].
  destruct (Qle_bool 0 (fst k)) eqn:E1; [|discriminate]. destruct (Qle_bool 0 (snd k)) eqn:E2; [|discriminate]. intros H; injection H as <-.
  apply Qle_R in E1, E2. rewrite Q2R_0 in E1, E2. split; [split; assumption|]. intros u v K.
  destruct (promised_at_in _ _ _ lower_loss_either E) as (far & J & L). apply in_map_iff in J. destruct J as ((far' & p & w) & J & G).
  injection J as -> <-. apply filter_In in G. destruct G as [G P]. cbn [fst snd].
  pose proof (proj2 kept far p w G u v (apart_le L K)) as C. unfold at_point in P. destruct (curved m) eqn:Cu.
  - cbn [fst snd] in P. apply Qeq_bool_iff, Qeq_eqR in P. now rewrite <- P.
  - now apply same_at_points with (1 := Cu) (2 := C).
Qed.

Theorem claimed_cost_ok xs d ls : claimed_cost xs d = Some ls -> Forall nonneg_loss ls /\ length xs = length ls /\
  forall u v : data I, apart source (Q2R d) u v -> Forall2 (fun x l => meets m (Q2R x) (M u) (M v) (real m l)) xs ls.
Proof.
  intros H. apply all_of_ok in H. split; [|split; [exact (Forall2_lengths H)|]].
  - apply Forall2_Forall_r with (2 := H). intros x l E. apply (said_ok E).
  - intros u v K. apply Forall2_weaken with (2 := H). intros x l E. now apply said_ok with (1 := E).
Qed.
End Promised.
