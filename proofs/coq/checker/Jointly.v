(** * General composition: what parts cost together whose outputs move by at most one of the declared vectors

    Between data 1 apart the outputs of a part's transformation are apart by no more than its entry of some vector, which is
    declared, and no more than the transformation can move them, which is derived. *)
From Coq Require Import List ZArith QArith Qreals Reals Lra Lia Bool.
From DPcore Require Import Distributions Measures Metrics Combinators.
From DPchecker Require Import Json Language Meaning Numbers Distances Losses Promises Facts StepFacts.
Import ListNotations.
Set Implicit Arguments.
Unset Strict Implicit.

Definition nonnegs (l : list Q) : bool := forallb (Qle_bool 0) l.

(** Of each part, which is a transformation and a measurement, the losses at its entries of the vectors. *)
Section By_part.
Variables (cost : node -> list fact -> Q -> option loss) (fs : list fact).
Fixpoint by_part (ps : list node) (joint : list (list Q)) : option (list (list loss)) :=
  match ps with
  | [] => Some []
  | [_] => None
  | t :: p :: ps =>
      let* gf := far t fs in let* most := through (snd gf) 1 in
      let* ls := all_of (fun v => cost p (fst gf) (Qmin (hd 0%Q v) most)) joint in
      let* columns := by_part ps (map (@tl Q) joint) in Some (ls :: columns)
  end.
End By_part.

(** Of losses by parts, those of all parts for each vector. *)
Fixpoint by_vector {A} (joint : list A) (columns : list (list loss)) : list (list loss) :=
  match joint with [] => [] | _ :: joint => map (hd zero_loss) columns :: by_vector joint (map (@tl loss) columns) end.

Open Scope R_scope.
Section General.
Variable I : interpretation.
Notation data := (data I).
Notation release := (released (users I)).

(** The lesser of two bounds, of which one holds in every metric. *)
Lemma known_least gs (e most : Q) (x y : data) : known_or_nothing gs (Q2R most) x y ->
  (forall m, In (Measured m) gs -> nothing x y \/ apart m (Q2R e) x y) -> known_or_nothing gs (Q2R (Qmin e most)) x y.
Proof.
  intros K H. assert (N : nothing x y \/ ~ nothing x y)
    by (unfold nothing; destruct x, y; (left; split; reflexivity) || (right; intros [? ?]; discriminate)).
  destruct N as [N|N]; [now right|]. destruct K as [K|K]; [left | contradiction].
  unfold Qmin. destruct (Qle_bool e most); [|exact K]. unfold known in *. rewrite Forall_forall in *. intros f J.
  destruct f as [m| | | |]; [|exact (K _ J) ..].
  destruct (H m J) as [F|F]; [contradiction | exact F].
Qed.

Section Parts.
Context {L : Type} {O : losses L} (ms : Measures.measure L) {D : divergence ms} (r : loss -> L) (source : metric) (fs : list fact).
Notation step := (known (one_step source fs)).

(** The losses of the parts, one for each vector: part by part. *)
Inductive follow_from : list node -> list (list Q) -> list (list loss) -> Prop :=
| no_parts joint : follow_from [] joint []
| a_part t p ps gs f most joint ls columns :
    far t (one_step source fs) = Some (gs, f) ->
    (forall x y, step 1 x y -> known_or_nothing gs (Q2R most) (run t x : data) (run t y)) ->
    (forall x y, step 0 x y -> known_or_nothing gs 0 (run t x : data) (run t y)) ->
    Forall2 (fun v l => le zero (r l) /\
      (forall x y : data, known gs (Q2R (Qmin (hd 0%Q v) most)) x y -> ms (denote p x) (denote p y) (r l)) /\
      (forall x y : data, known gs 0 x y -> same (denote p x) (denote p y))) joint ls ->
    follow_from ps (map (@tl Q) joint) columns -> follow_from (t :: p :: ps) joint (ls :: columns).

Lemma at_vector ps joint columns : follow_from ps joint columns -> forall i v, nth_error joint i = Some v ->
  forall x y : data, step 1 x y -> Forall2 (fun t e => given_within source t e x y) (firsts ps) v ->
  Forall2 (fun M l => ms (M x) (M y) (r l)) (parts denote ps) (map (fun c => nth i c zero_loss) columns).
Proof.
  induction 1 as [joint | t p ps gs f most joint ls columns F S1 S0 Ls _ IH]; intros i v J x y K G; [constructor|].
  simpl in G. inversion G as [|t' e ts w Ge Gs]; subst. cbn [parts map].
  assert (At : le zero (r (nth i ls zero_loss)) /\ forall u w : data, known gs (Q2R (Qmin e most)) u w -> ms (denote p u) (denote p w) (r (nth i ls zero_loss))).
  { clear -Ls J. revert i J. induction Ls as [|v' l vs ls H _ IH]; intros [|i] J; try discriminate.
    - injection J as ->. destruct H as (N & C & _). split; [exact N | exact C].
    - now apply IH. }
  destruct At as [N C]. constructor.
  - destruct (@known_least gs e most (run t x) (run t y) (S1 x y K)) as [K'|[-> ->]].
    + intros m Jm. exact (Ge _ _ _ _ K F Jm).
    + now apply C.
    + apply (div_le (ms := ms)) with zero; [exact N | apply (div_same (ms := ms)), same_refl].
  - apply (IH i w); auto. rewrite nth_error_map, J. reflexivity.
Qed.

Lemma by_vector_at A (joint : list A) columns i v : nth_error joint i = Some v -> In (map (fun c => nth i c zero_loss) columns) (by_vector joint columns).
Proof.
  revert i columns; induction joint as [|w joint IH]; intros [|i] columns J; try discriminate; simpl.
  - left. apply map_ext. now intros [].
  - right. specialize (IH i (map (@tl loss) columns) J). rewrite map_map in IH. erewrite map_ext; [exact IH|].
    intros [|l c]; [now destruct i | reflexivity].
Qed.

Variables (premises : list node) (joint : list (list Q)) (columns : list (list loss)).
Hypothesis followed : follow_from premises joint columns.
Hypothesis declared : moves_jointly I source joint premises.

Theorem jointly_close {C : composes ms} (x y : data) : step 1 x y -> exists ls, In ls (by_vector joint columns) /\
  ms (all (parts denote premises) x) (all (parts denote premises) y) (plus_all (map r ls)).
Proof.
  intros K. assert (S : apart source 1 x y) by now inversion K. destruct (declared S) as (v & J & G). apply In_nth_error in J. destruct J as (i & J).
  exists (map (fun c => nth i c zero_loss) columns). split; [exact (by_vector_at columns J)|]. apply (all_close (D := D)).
  pose proof (at_vector followed J K G) as P. clear -P. induction P; constructor; auto.
Qed.

Theorem jointly_same (x y : data) : step 0 x y -> same (all (parts denote premises) x) (all (parts denote premises) y).
Proof.
  intros K. assert (S : apart source 1 x y) by (apply (@apart_le I source 0); [lra | now inversion K]).
  destruct (declared S) as (v & J & _). apply In_nth_error in J. destruct J as (i & J). revert v J.
  clear declared S. induction followed as [|t p ps gs f most vs ls cs _ _ S0 Ls F IH]; intros v J; simpl; [apply same_refl|].
  assert (Z : forall u w : data, known gs 0 u w -> same (denote p u) (denote p w)).
  { clear -Ls J. revert i J. induction Ls as [|v' l vs' ls' H _ IH']; intros [|i] J; try discriminate; [apply H | eauto]. }
  apply same_bind; [|intros a; apply same_bind; [|auto]].
  - destruct (S0 x y K) as [K'|[-> ->]]; [now apply Z | apply same_refl].
  - apply (IH F (tl v)). rewrite nth_error_map, J. reflexivity.
Qed.
End Parts.
End General.
