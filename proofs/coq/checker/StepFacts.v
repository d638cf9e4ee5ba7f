(** * Of what a group is made: data one step apart, of any size *)
From Coq Require Import String List ZArith QArith Qreals Reals Lra Lia Permutation.
From DPcore Require Import Distributions Measures Metrics Totals Steps RowStability Persons.
From DPchecker Require Import Language Meaning Numbers Distances Losses Rounding Grouped Promises Stability.
Import ListNotations.
Set Implicit Arguments.
Unset Strict Implicit.

Definition step_facts (fs : list fact) : option (list fact) :=
  if has Symmetric fs then Some (Measured Symmetric :: of_rows fs) else
  if has ChangeOne fs then Some (Measured ChangeOne :: of_rows fs ++ sizes fs) else
  match person_of fs with
  | Some who => Some (Measured (Person who) :: of_rows fs)
  | None => if has Discrete fs then Some [Measured Discrete] else None
  end.


Open Scope R_scope.
Section Sound.
Variable I : interpretation.
Notation data := (data I).
Notation release := (dist (released (users I))).

Lemma whole_on X (mt : Metrics.metric X) (P : X -> Prop) : whole mt -> (forall d u v, mt d u v -> P u -> P v) -> whole (on P mt).
Proof.
  intros W H d x y (Px & Py & D). destruct (W d x y D) as (n & Hn & R). exists n; split; [exact Hn|]. clear d D Hn Py.
  revert y R; induction n as [|n IH]; intros y R; [split; [exact Px | split; [exact (H _ _ _ R Px) | exact R]]|].
  destruct R as (z & R & S). exists z; split; [now apply IH|].
  assert (Pz : P z). { clear S y IH. revert z R; induction n as [|n IH]; intros z R; [exact (H _ _ _ R Px)|]. destruct R as (w & R & S). exact (H _ _ _ S (IH w R)). }
  split; [exact Pz | split; [exact (H _ _ _ S Pz) | exact S]].
Qed.

Lemma sizes_pair fs d D E a b : known (sizes fs) 0 (Rows D a : data) (Rows D a) -> length b = length a -> known (sizes fs) d (Rows E a : data) (Rows E b).
Proof.
  unfold known, sizes; rewrite !Forall_forall. intros K L f J. specialize (K f J). apply filter_In in J. destruct J as [_ J].
  destruct f; try discriminate. simpl in *. now rewrite L.
Qed.

Lemma of_rows_again fs d d' a b a' b' A B : known (of_rows fs) d (Rows A a : data) (Rows B b) -> known (of_rows fs) d' (Rows A a' : data) (Rows B b').
Proof.
  unfold of_rows. destruct (domain_of fs) as [D|]; [|constructor]. intros K. inversion K; subst. constructor; [|constructor]. exact H1.
Qed.

Lemma step_facts_ok fs gs : step_facts fs = Some gs -> (forall d (x y : data), known fs d x y -> known gs d x y) /\
  forall (M : data -> release) md m d xs ls ks (x y : data), 0 <= Q2R d ->
    lifted_all md m d xs ls = Some ks -> length (points_of_step m d xs) = length ls -> Forall nonneg_loss ls ->
    (forall x y, known gs 1 x y -> Forall2 (fun p l => meets m (Q2R p) (M x) (M y) (real m l)) (points_of_step m d xs) ls) ->
    (forall x y, known gs 0 x y -> same (M x) (M y)) -> known gs (Q2R d) x y ->
    Forall2 (fun p k => meets m (Q2R p) (M x) (M y) (real m k)) xs ks.
Proof.
  unfold step_facts. intros H.
  destruct (has Symmetric fs) eqn:E1; [|destruct (has ChangeOne fs) eqn:E2; [|destruct (person_of fs) as [who|] eqn:E3; [|destruct (has Discrete fs) eqn:E4; [|discriminate]]]];
  injection H as <-.
  - split.
    + intros d x y K. pose proof (has_ok E1 K) as A. apply Forall_cons; [exact A|]. destruct (apart_rows A Logic.I) as (D & a & b & -> & ->). apply (of_rows_ok _ _ _ K).
    + intros M md m d xs ls ks x y Hd L E N H1 H0 K. inversion K as [|f1 f2 A O]; subst. cbn [fact_holds] in A.
      destruct (apart_rows A Logic.I) as (D & a & b & -> & ->). destruct A as [_ A].
      assert (O' : forall e u v, known (of_rows fs) e (Rows D u : data) (Rows D v)) by (intros; apply (of_rows_again _ _ _ O)).
      refine (@group_at _ _ (symmetric) (fun a => M (Rows D a)) md m d xs ls ks _ _ (@whole_symmetric _) Hd L E N _ _ A);
      intros u v S; (apply H1 || apply H0); (apply Forall_cons; [split; [reflexivity | exact S] | apply O']).
  - split.
    + intros d x y K. pose proof (has_ok E2 K) as A. apply Forall_cons; [exact A|]. apply known_app. split; [|apply (sizes_same _ K)].
      destruct (apart_rows A Logic.I) as (D & a & b & -> & ->). apply (of_rows_ok _ _ _ K).
    + intros M md m d xs ls ks x y Hd L E N H1 H0 K. inversion K as [|f1 f2 A O]; subst. cbn [fact_holds] in A.
      apply known_app in O. destruct O as [O S].
      destruct (apart_rows A Logic.I) as (D & a & b & -> & ->). destruct A as [_ A].
      assert (O' : forall e u v, known (of_rows fs) e (Rows D u : data) (Rows D v)) by (intros; apply (of_rows_again _ _ _ O)).
      assert (Len : forall e (u v : list (row I)), change_one e u v -> length v = length u).
      { intros e u v (p & q & (c & P1 & P2) & Lpq & _). apply Permutation_length in P1, P2. rewrite app_length in P1, P2. lia. }
      set (P := fun a => known (sizes fs) 0 (Rows D a : data) (Rows D a)).
      assert (Pa : P a).
      { unfold P, known in *. rewrite Forall_forall in *. intros f J. specialize (S f J). apply filter_In in J. destruct J as [_ J].
        destruct f; try discriminate. simpl in *. tauto. }
      assert (Pmove : forall e u v, change_one e u v -> P u -> P v).
      { intros e u v C Pu. apply Len in C. unfold P, known in *. rewrite Forall_forall in *. intros f J. specialize (Pu f J).
        apply filter_In in J. destruct J as [_ J]. destruct f; try discriminate. simpl in *. now rewrite C. }
      refine (@group_at _ _ (on P change_one) (fun a => M (Rows D a)) md m d xs ls ks _ _ (whole_on (@whole_change_one _) Pmove) Hd L E N _ _ _).
      * intros u v (Pu & _ & C). apply H1. apply Forall_cons; [split; [reflexivity | exact C]|]. apply known_app. split; [apply O'|].
        exact (sizes_pair _ _ Pu (Len _ _ _ C)).
      * intros u v (Pu & _ & C). apply H0. apply Forall_cons; [split; [reflexivity | exact C]|]. apply known_app. split; [apply O'|].
        exact (sizes_pair _ _ Pu (Len _ _ _ C)).
      * split; [exact Pa | split; [exact (Pmove _ _ _ A Pa) | exact A]].
  - split.
    + intros d x y K. pose proof (person_ok E3 K) as A. apply Forall_cons; [exact A|]. destruct (apart_rows A Logic.I) as (D & a & b & -> & ->). apply (of_rows_ok _ _ _ K).
    + intros M md m d xs ls ks x y Hd L E N H1 H0 K. inversion K as [|f1 f2 A O]; subst. cbn [fact_holds] in A.
      destruct (apart_rows A Logic.I) as (D & a & b & -> & ->). destruct A as [_ A].
      assert (O' : forall e u v, known (of_rows fs) e (Rows D u : data) (Rows D v)) by (intros; apply (of_rows_again _ _ _ O)).
      refine (@group_at _ _ (Metrics.person constant_dec (person I who)) (fun a => M (Rows D a)) md m d xs ls ks _ _ (@whole_person _ _ _ _) Hd L E N _ _ A);
      intros u v S; (apply H1 || apply H0); (apply Forall_cons; [split; [reflexivity | exact S] | apply O']).
  - split.
    + intros d x y K. pose proof (has_ok E4 K) as A. apply Forall_cons; [exact A | constructor].
    + intros M md m d xs ls ks x y Hd L E N H1 H0 K. inversion K as [|f1 f2 A O]; subst. cbn [fact_holds] in A.
      destruct x, y; cbn [apart] in A; try tauto.
      refine (@group_at _ _ (discrete) (fun a => M (Value a)) md m d xs ls ks _ _ (@whole_discrete _) Hd L E N _ _ A);
      intros u v S; (apply H1 || apply H0); (apply Forall_cons; [exact S | constructor]).
Qed.
End Sound.
