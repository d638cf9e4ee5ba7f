(** * From one step to any number of them

    Data at a distance of n, in a metric that counts steps, are joined by n steps of 1 through data of the same domain. So
    what is lost in one step says what is lost in n. *)
From Coq Require Import List ZArith QArith Qreals Reals Lra Lia Bool Permutation.
From DPcore Require Import Distributions Measures Metrics Steps Partition Graphs Combinators.
From DPchecker Require Import Language Meaning Numbers Distances Losses Rounding Grouped StepByStep Chains Facts.
Import ListNotations.
Set Implicit Arguments.
Unset Strict Implicit.

(** Metrics in which data at a distance of n are joined by n steps of 1. *)
Definition in_steps (m : metric) : bool :=
  match m with Symmetric | ChangeOne | Person _ | Discrete | Part Symmetric | Part ChangeOne | Edge | Node | PathGranularity _ _ _ => true | _ => false end.

(** Of what a group is made: data one step apart, of any size. *)
Definition kept (m : metric) (f : fact) : bool :=
  match f, m with Of _, _ | Nodes _, _ | Sized _, ChangeOne => true | _, _ => false end.
Definition one_step (m : metric) (fs : list fact) : list fact := Measured m :: filter (kept m) fs.
Definition step_facts (fs : list fact) : option (list fact) :=
  match find (fun f => match f with Measured m => in_steps m | _ => false end) fs with Some (Measured m) => Some (one_step m fs) | _ => None end.
Definition starts_in (source : metric) (fs : list fact) : bool := if in_steps source then has source fs else false.

Open Scope R_scope.
Section Lifting.
Variable I : interpretation.
Notation data := (data I).
Notation release := (dist (released (users I))).

(** [apart], as a metric. *)
Definition between (m : metric) : Metrics.metric data :=
  {| within := apart m; within_sym := @apart_sym I m; within_nonneg := @apart_nonneg I m; within_le := fun d d' x y H => @apart_le I m d d' x y H |}.

Lemma whole_image X (mt : Metrics.metric X) (f : X -> data) m : whole mt -> (forall d a b, mt d a b -> apart m d (f a) (f b)) ->
  forall d a b, mt d a b -> exists n, INR n <= d < INR n + 1 /\ reach (between m) n (f a) (f b).
Proof.
  intros W H d a b K. destruct (W d a b K) as (n & Hn & R). exists n; split; [exact Hn|]. clear d Hn K.
  revert b R; induction n as [|n IH]; intros b R; [now apply H|]. destruct R as (c & R & S). exists (f c); split; [now apply IH | now apply H].
Qed.

Lemma path_whole name f rows : whole (between (PathGranularity name f rows)).
Proof.
  intros d x y K. apply path_apart in K. apply (@whole_image _ _ (fun x => x) _ (@whole_chained _ (granularity I name f rows))); [|exact K].
  intros e a b. apply path_apart.
Qed.

Lemma whole_between m : in_steps m = true -> whole (between m).
Proof.
  intros S d x y K. change (apart m d x y) in K.
  destruct m as [| | | | | | | | |w| | | | |]; try discriminate; try (destruct w; try discriminate);
  try exact (path_whole K); destruct x as [D a|? ?|? ?|c|D ks p|k g|], y as [E b|? ?|? ?|e|E ls q|l h|];
  try contradiction; cbn [apart] in K.
  - destruct K as [<- K]. apply (whole_image (f := Rows D) (@whole_symmetric _)); [split; auto | exact K].
  - destruct K as [<- K]. apply (whole_image (f := Rows D) (@whole_change_one _)); [split; auto | exact K].
  - destruct K as [<- K]. apply (whole_image (f := Rows D) (@whole_person _ _ constant_dec (person I who))); [split; auto | exact K].
  - destruct K as [<- K]. apply (whole_image (f := Number _) (@whole_discrete _)); [split; auto | exact K].
  - destruct K as [<- K]. apply (whole_image (f := Vector _) (@whole_discrete _)); [split; auto | exact K].
  - apply (whole_image (f := Value) (@whole_discrete _)); [auto | exact K].
  - destruct K as [<- K]. apply (whole_image (f := Graph _) (@whole_discrete _)); [split; auto | exact K].
  - destruct K as (<- & <- & N & K). apply (whole_image (f := Parts D ks) (whole_parts_symmetric constant_dec N)); [cbn [apart]; auto | exact K].
  - destruct K as (<- & <- & N & K). apply (whole_image (f := Parts D ks) (whole_parts_change_one constant_dec N)); [cbn [apart]; auto | exact K].
  - destruct K as [<- K]. apply (whole_image (f := Graph k) (@whole_edge_distance (Pos.to_nat k))); [split; auto | exact K].
  - destruct K as [<- K]. apply (whole_image (f := Graph k) (@whole_node_distance (Pos.to_nat k))); [split; auto | exact K].
Qed.

(** A property that each step keeps. *)
Lemma whole_on X (mt : Metrics.metric X) (P : X -> Prop) : whole mt -> (forall d u v, mt d u v -> P u -> P v) -> whole (on P mt).
Proof.
  intros W H d x y (Px & Py & D). destruct (W d x y D) as (n & Hn & R). exists n; split; [exact Hn|]. clear d D Hn Py.
  assert (K : P y /\ reach (on P mt) n x y); [|apply K].
  revert y R; induction n as [|n IH]; intros y R.
  - split; [exact (H _ _ _ R Px) | repeat split; auto; exact (H _ _ _ R Px)].
  - destruct R as (z & R & S). destruct (IH z R) as [Pz Rz]. pose proof (H _ _ _ S Pz). split; [assumption|]. exists z; repeat split; auto.
Qed.

Lemma kept_self m f d (x y : data) : kept m f = true -> fact_holds f d x y -> fact_holds f 0 x x.
Proof. destruct f; try discriminate; intros _; destruct x, y; simpl; tauto. Qed.
Lemma kept_step m f d (x y : data) : in_steps m = true -> kept m f = true -> apart m d x y -> fact_holds f 0 x x -> fact_holds f d x y.
Proof.
  intros S. destruct f as [|D|n| |n]; try discriminate.
  1, 3: intros _ K; destruct x, y; cbn [fact_holds]; try tauto; destruct m as [| | | | | | | | |w| | | | |]; try destruct w; try discriminate; cbn [apart] in K;
    try tauto; first [destruct K as [<- _]; tauto | apply chained_shape in K; cbn [same_shape] in K; intuition congruence].
  destruct m; try discriminate. intros _ K. destruct x, y; cbn [apart fact_holds] in *; try tauto. intros [L _]. split; [exact L|].
  destruct K as [_ (l & r & (c & P1 & P2) & Lr & _)]. apply Permutation_length in P1, P2. rewrite app_length in P1, P2. lia.
Qed.

Lemma one_step_ok m fs d (x y : data) : has m fs = true -> known fs d x y -> known (one_step m fs) d x y.
Proof. intros H K. constructor; [exact (has_ok H K) | now apply known_filter with d]. Qed.
Lemma step_facts_ok fs gs : step_facts fs = Some gs ->
  exists m, in_steps m = true /\ gs = one_step m fs /\ forall d (x y : data), known fs d x y -> known gs d x y.
Proof.
  unfold step_facts. destruct (find _ fs) as [f|] eqn:E; [|discriminate]. apply find_some in E. destruct E as [J S].
  destruct f as [m| | | |]; try discriminate. intros H; injection H as <-. exists m. repeat split; auto.
  intros d x y K. constructor; [|now apply known_filter with d]. unfold known in K. rewrite Forall_forall in K. exact (K _ J).
Qed.

Lemma starts_in_ok m fs : starts_in m fs = true -> in_steps m = true /\ forall d (x y : data), known fs d x y -> known (one_step m fs) d x y.
Proof. unfold starts_in. destruct (in_steps m); [|discriminate]. intros H. split; [reflexivity | intros d x y; now apply one_step_ok]. Qed.

(** What is known one step apart, of data that are kept: a metric that counts steps, and that joins what is known to be apart. *)
Definition stepping (s : metric) (fs : list fact) : Metrics.metric data := on (fun z => known (filter (kept s) fs) 0 z z) (between s).

Lemma stepping_ok s fs : in_steps s = true -> whole (stepping s fs) /\
  forall d x y, stepping s fs d x y <-> known (one_step s fs) d x y.
Proof.
  intros S. unfold stepping, one_step. set (gs := filter (kept s) fs). set (P (z : data) := known gs 0 z z).
  assert (Kept : forall f, In f gs -> kept s f = true) by (intros f J; now apply filter_In in J).
  assert (To : forall e u v, apart s e u v -> P u -> known (Measured s :: gs) e u v).
  { intros e u v A Pu. constructor; [exact A|]. unfold P, known in *. rewrite Forall_forall in *.
    intros f J. exact (kept_step S (Kept f J) A (Pu f J)). }
  assert (Self : forall e u v, known (Measured s :: gs) e u v -> P u).
  { intros e u v A. unfold P, known in *. inversion A as [|f' fs' _ A']; subst. rewrite Forall_forall in *.
    intros f J. exact (kept_self (Kept f J) (A' f J)). }
  split.
  - apply whole_on; [exact (whole_between S)|]. intros e u v A Pu. exact (Self e v u (known_sym (To e u v A Pu))).
  - intros e u v. split; [intros (Pu & _ & A); now apply To|]. intros K.
    split; [exact (Self _ _ _ K)|]. split; [exact (Self _ _ _ (known_sym K)) | now inversion K].
Qed.

Theorem lift_steps (M : data -> release) s fs md m d xs ls ks : in_steps s = true -> 0 <= Q2R d ->
  lifted_all md m d xs ls = Some ks -> length (points_of_step m d xs) = length ls -> Forall nonneg_loss ls ->
  (forall x y, known (one_step s fs) 1 x y -> Forall2 (fun p l => meets m (Q2R p) (M x) (M y) (real m l)) (points_of_step m d xs) ls) ->
  (forall x y, known (one_step s fs) 0 x y -> same (M x) (M y)) ->
  forall x y, known (one_step s fs) (Q2R d) x y -> Forall2 (fun p k => meets m (Q2R p) (M x) (M y) (real m k)) xs ks.
Proof.
  intros S Hd E Le N H1 H0 x y K. destruct (stepping_ok fs S) as [W Eq].
  apply (@group_at _ _ (stepping s fs) M md m d xs ls ks x y W Hd E Le N); [intros u v A; now apply H1, Eq | intros u v A; now apply H0, Eq | now apply Eq].
Qed.

(** The same of a curve that is asked again and again. *)
Theorem lift_curve (M : data -> release) s fs md m d n ask xs ks : in_steps s = true -> steps_in d = Some n ->
  (forall ys ls, ask ys = Some ls -> Forall nonneg_loss ls /\ length ys = length ls /\
    forall x y, known (one_step s fs) 1 x y -> Forall2 (fun p l => meets m (Q2R p) (M x) (M y) (real m l)) ys ls) ->
  (forall x y, known (one_step s fs) 0 x y -> same (M x) (M y)) -> step_by_step md ask m n xs = Some ks ->
  Forall nonneg_loss ks /\ length xs = length ks /\
  forall x y, known (one_step s fs) (Q2R d) x y -> Forall2 (fun p k => meets m (Q2R p) (M x) (M y) (real m k)) xs ks.
Proof.
  intros S D H1 H0 E. destruct (stepping_ok fs S) as [W Eq]. apply steps_in_ok in D.
  destruct (@step_by_step_ok _ _ (stepping s fs) M md ask m) with (n := n) (xs := xs) (ls := ks) as (N & L & P); [| |exact E|].
  - intros u v A. now apply H0, Eq.
  - intros ys ls K. destruct (H1 ys ls K) as (N & L & P). split; [exact N|]. split; [exact L|]. intros u v A. now apply P, Eq.
  - split; [exact N|]. split; [exact L|]. intros x y K. apply Eq in K. destruct (W _ _ _ K) as (k & Hk & Rk). apply P.
    replace n with k; [exact Rk|]. apply INR_eq. assert (A : (k < n + 1)%nat) by (apply INR_lt; rewrite plus_INR; simpl; lra).
    assert (B : (n < k + 1)%nat) by (apply INR_lt; rewrite plus_INR; simpl; lra). f_equal. lia.
Qed.
End Lifting.
