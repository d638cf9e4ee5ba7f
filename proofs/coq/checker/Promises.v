(** * What a derivation takes on trust

    Some rules rest on what their author declares and nobody can derive: how far one step of the input moves several
    functions of it at once, or what stages chosen by a program cost. Each is printed as an assumption. [promises] says it of
    an interpretation, and the theorems about a derivation hold for the interpretations that keep what it promises. *)
From Coq Require Import List ZArith QArith Qreals Reals.
From DPcore Require Import Distributions Measures Renyi Norms Totals.
From DPcore Require Interleaved RenyiFilter Talk.
From DPchecker Require Import Language Meaning Numbers Exponentials Distances Losses.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

Section Promises.
Variable I : interpretation.

(** One row, or one row in place of another, moves the answers to these queries by at most so much in all. It is asked only
    where that is less than their number, which is true of answers from 0 to 1. *)
Definition answers_move (m : from) (queries : list expr) (most : R) : Prop :=
  forall of, let g := answers_step I of queries in let answers := map (answer_in I of g) queries in 0 < Q2R g ->
  match m with
  | FromChangeOne => forall r s : row I, norm1 (change (Q2R g) answers r s) <= most
  | _ => forall r : row I, norm1 (column (Q2R g) answers r) <= most
  end.

(** Adaptive composition: whatever was seen, the i-th stage costs at most the i-th loss between data 1 apart, and does not
    tell apart data 0 apart, which are rows in another order. *)
Definition stages_cost {L} (ms : Measures.measure L) (source : metric) (choices : list func) (ls : list L) : Prop :=
  forall seen f l, nth_error choices (length seen) = Some f -> nth_error ls (length seen) = Some l -> forall x y : data I,
    (apart source 1 x y -> ms _ (stage I f seen x) (stage I f seen y) l) /\
    (apart source 0 x y -> same (stage I f seen x) (stage I f seen y)).

(** Questions: whatever was answered, what is asked next costs at most what it is charged, and does not tell apart data 0 apart. Of
    an above-threshold each query moves by at most what is said of it, and it is charged what a randomized response of its epsilon
    loses. *)
Definition counted (m : measure) : Measures.measure (R * R) := fun A P Q l => meets m 0 P Q (taken_as m l).
Definition questions_cost (m : measure) (source : metric) (budget more : Q) : Prop :=
  Interleaved.honest_talk (counted m) (asks I budget more) (apart source).
(** In RenyiDP, at the orders of the budget. *)
Definition curves_cost (source : metric) (points : list (Q * Q)) : Prop :=
  RenyiFilter.honest_curves (asks_at_orders I points) (in_reals points) (apart source).

(** One above-threshold: each query moves by at most 1 between data 1 apart, and does not tell apart data 0 apart. *)
Definition queries_move (source : metric) (chosen : list (Talk.event unit) -> option (data I -> Z)) : Prop :=
  forall seen q, chosen seen = Some q -> forall x y : data I,
    (apart source 1 x y -> Rabs (IZR (q y) - IZR (q x)) <= 1) /\ (apart source 0 x y -> q x = q y).

(** General composition: between data 1 apart, the distances of what the parts are given are at most those of one of the
    vectors. A part is given what comes out of its transformation, in whichever metrics that is measured. *)
Fixpoint firsts (premises : list node) : list node := match premises with t :: _ :: ps => t :: firsts ps | _ => [] end.
Definition given_within (source : metric) (t : node) (e : Q) (x y : data I) : Prop :=
  forall others gs f m, known (Measured source :: others) 1 x y -> far t (Measured source :: others) = Some (gs, f) -> In (Measured m) gs ->
    nothing (run t x) (run t y) \/ apart m (Q2R e) (run t x) (run t y).
Definition moves_jointly (source : metric) (joint : list (list Q)) (premises : list node) : Prop :=
  forall x y : data I, apart source 1 x y -> exists v, In v joint /\ Forall2 (fun t e => given_within source t e x y) (firsts premises) v.

Definition promise_of (r : rule) (premises : list node) : Prop :=
  match r with
  | LinearQueries m queries most => Q2R most < INR (length queries) -> answers_move m queries (Q2R most)
  | FromGranularity n => forall name f d (x y : data I), apart (Granularity name f (Some n)) d x y -> apart Symmetric (IZR (Zpos n) * d) x y
  | ClaimedTransformation f map source output target promised =>
      let F : data I -> data I := made I f map output in
      (forall x, x <> NoData -> lies_in output (F x)) /\
      (forall x y, apart source 0 x y -> apart target 0 (F x) (F y)) /\
      (forall far near, In (far, near) promised -> forall x y, apart source (Q2R far) x y -> apart target (Q2R near) (F x) (F y))
  | ClaimedMeasurement f map source m promised =>
      let M : data I -> dist (released (users I)) := told I f map in
      (forall x y, apart source 0 x y -> same (M x) (M y)) /\
      (forall far p l, In (far, (p, l)) promised ->
        forall x y, apart source (Q2R far) x y -> meets m (Q2R p) (M x) (M y) (real m (written m p l)))
  | Adaptive m losses choices source => stages_cost (meets m 0) source choices (map (real m) losses) (* no curve: the point is idle *)
  | Asking m budget more source => questions_cost m source budget more
  | AskingAtOrders points source => curves_cost source points
  | Comparing threshold bT bQ hits source => queries_move source (compares I threshold bT bQ hits)
  | Jointly _ joint source => moves_jointly source joint premises
  | _ => True
  end.

Fixpoint promises (n : node) : Prop :=
  match n with
  | Tree r ps => promise_of r ps /\ (fix go ps := match ps with [] => True | p :: ps => promises p /\ go ps end) ps
  end.

Lemma promises_all r ps : promises (Tree r ps) -> promise_of r ps /\ Forall promises ps.
Proof. intros [H K]; split; [exact H|]. clear H; induction ps; constructor; [apply K | now apply IHps]. Qed.
End Promises.
Arguments given_within {I}.
