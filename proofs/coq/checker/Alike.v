(** * When two trees do the same to data

    The rules of a transformation under two metrics have two names, and one meaning. [alike] compares trees but for that, and
    but for witnesses. *)
From Coq Require Import String List ZArith QArith Bool FunctionalExtensionality.
From DPcore Require Import Distributions Combinators.
From DPchecker Require Import Spread Language Meaning.
Import ListNotations.
Set Implicit Arguments.

Section Lists.
Variables (A : Type) (eqb : A -> A -> bool).
Fixpoint list_eqb (k l : list A) : bool :=
  match k, l with [], [] => true | a :: k, b :: l => eqb a b && list_eqb k l | _, _ => false end.
Hypothesis H : forall a b, eqb a b = true -> a = b.
Lemma list_eqb_eq k l : list_eqb k l = true -> k = l.
Proof.
  revert l; induction k as [|a k IH]; intros [|b l]; simpl; try discriminate; [reflexivity|].
  intros E; apply andb_prop in E; destruct E; f_equal; auto.
Qed.
Definition option_eqb (a b : option A) : bool := match a, b with None, None => true | Some a, Some b => eqb a b | _, _ => false end.
Lemma option_eqb_eq a b : option_eqb a b = true -> a = b.
Proof. destruct a, b; simpl; try discriminate; [intros; f_equal; auto | reflexivity]. Qed.
End Lists.

Definition pair_eqb {A} (eqb : A -> A -> bool) (a b : string * A) : bool := String.eqb (fst a) (fst b) && eqb (snd a) (snd b).


Definition figures_eqb (a b : Q * Q) : bool := Qeqb (fst a) (fst b) && Qeqb (snd a) (snd b).
Lemma figures_eq a b : figures_eqb a b = true -> a = b.
Proof. destruct a, b. unfold figures_eqb. cbn [fst snd]. rewrite andb_true_iff, !Qeqb_eq. now intros [-> ->]. Qed.

Fixpoint expr_eqb (a b : expr) : bool :=
  match a, b with
  | EConstant c, EConstant d => constant_eqb c d
  | ERow t, ERow u => option_eqb String.eqb t u
  | EField n t, EField m u => String.eqb n m && option_eqb String.eqb t u
  | EOperation o l, EOperation p k => String.eqb o p && list_eqb expr_eqb l k
  | _, _ => false
  end.

Fixpoint domain_eqb (a b : domain) : bool :=
  match a, b with
  | DNumber l h s, DNumber l' h' s' => option_eqb Qeqb l l' && option_eqb Qeqb h h' && option_eqb Qeqb s s'
  | DBooleans, DBooleans | DText, DText | DUnknown, DUnknown => true
  | DDate a b, DDate c d => String.eqb a c && String.eqb b d
  | DCategories v, DCategories w => list_eqb constant_eqb v w
  | DOptional d, DOptional e => domain_eqb d e
  | DFields f, DFields g => list_eqb (pair_eqb domain_eqb) f g
  | DVector d n m c, DVector e k o b => domain_eqb d e && Pos.eqb n k && option_eqb norm_eqb m o && option_eqb Qeqb c b
  | DRows d n, DRows e k => domain_eqb d e && option_eqb Pos.eqb n k
  | DParts d v, DParts e w => domain_eqb d e && list_eqb constant_eqb v w
  | DGraphs n, DGraphs k => Pos.eqb n k
  | _, _ => false
  end.

Definition spoken_eqb (a b : spoken) : bool :=
  match a, b with
  | Expression e, Expression f => expr_eqb e f
  | Fields fs, Fields gs => list_eqb (pair_eqb expr_eqb) fs gs
  | Function f, Function g => func_eqb f g
  | _, _ => false
  end.

Lemma String_eq a b : String.eqb a b = true -> a = b. Proof. apply String.eqb_eq. Qed.
Lemma Pos_eq a b : Pos.eqb a b = true -> a = b. Proof. apply Pos.eqb_eq. Qed.
Lemma Z_eq a b : Z.eqb a b = true -> a = b. Proof. apply Z.eqb_eq. Qed.
Lemma Q_eq a b : Qeqb a b = true -> a = b. Proof. apply Qeqb_eq. Qed.
Lemma constant_eq a b : constant_eqb a b = true -> a = b. Proof. apply constant_eqb_eq. Qed.

Ltac parts := repeat match goal with H : (_ && _)%bool = true |- _ => apply andb_prop in H; destruct H end.
Ltac same := repeat match goal with
  | H : String.eqb _ _ = true |- _ => apply String_eq in H
  | H : Pos.eqb _ _ = true |- _ => apply Pos_eq in H
  | H : spread_eqb _ _ = true |- _ => apply spread_eq in H
  | H : Z.eqb _ _ = true |- _ => apply Z_eq in H
  | H : Qeqb _ _ = true |- _ => apply Q_eq in H
  | H : constant_eqb _ _ = true |- _ => apply constant_eq in H
  | H : func_eqb _ _ = true |- _ => apply func_eq in H
  | H : norm_eqb _ _ = true |- _ => apply norm_eq in H
  | H : option_eqb String.eqb _ _ = true |- _ => apply (option_eqb_eq _ String_eq) in H
  | H : option_eqb Pos.eqb _ _ = true |- _ => apply (option_eqb_eq _ Pos_eq) in H
  | H : option_eqb Qeqb _ _ = true |- _ => apply (option_eqb_eq _ Q_eq) in H
  | H : option_eqb norm_eqb _ _ = true |- _ => apply (option_eqb_eq _ norm_eq) in H
  | H : list_eqb constant_eqb _ _ = true |- _ => apply (list_eqb_eq _ constant_eq) in H
  | H : list_eqb String.eqb _ _ = true |- _ => apply (list_eqb_eq _ String_eq) in H
  | H : list_eqb Qeqb _ _ = true |- _ => apply (list_eqb_eq _ Q_eq) in H
  | H : list_eqb func_eqb _ _ = true |- _ => apply (list_eqb_eq _ func_eq) in H
  end.

Fixpoint expr_eq (a b : expr) {struct a} : expr_eqb a b = true -> a = b.
Proof.
  destruct a as [c|t|n t|o l], b as [d|u|m u|p k]; simpl; try discriminate; intros H; parts; same; try congruence. subst p. f_equal.
  revert k H0. induction l as [|a l IH]; intros [|b k]; simpl; try discriminate; [reflexivity|].
  intros E; parts. f_equal; [now apply expr_eq | now apply IH].
Qed.

Fixpoint domain_eq (a b : domain) {struct a} : domain_eqb a b = true -> a = b.
Proof.
  destruct a as [l h s| | |f1 f2|v|d|f|d n m c|d n|d v|n|], b as [l' h' s'| | |f1' f2'|v'|d'|f'|d' n' m' c'|d' n'|d' v'|n'|]; simpl; try discriminate;
  try reflexivity; intros H; parts; same; try congruence.
  - f_equal. now apply domain_eq.
  - f_equal. revert f' H. induction f as [|[a d] f IH]; intros [|[b e] f']; simpl; try discriminate; [reflexivity|].
    intros E; parts. unfold pair_eqb in *; simpl in *; parts; same. f_equal; [f_equal; [assumption | now apply domain_eq] | now apply IH].
  - apply domain_eq in H. congruence.
  - apply domain_eq in H. congruence.
  - apply domain_eq in H. congruence.
Qed.

Definition choice_eqb (a b : choice) : bool :=
  match a, b with InOrder, InOrder | Fairly, Fairly => true | FirstBy e, FirstBy f => expr_eqb e f | _, _ => false end.
Lemma choice_eq a b : choice_eqb a b = true -> a = b.
Proof. destruct a, b; try discriminate; try reflexivity. intros H. f_equal. now apply expr_eq. Qed.
Lemma spoken_eq a b : spoken_eqb a b = true -> a = b.
Proof.
  destruct a as [e|f|f], b as [e'|f'|f']; simpl; try discriminate; intros H; same; try congruence.
  - f_equal. now apply expr_eq.
  - f_equal. apply list_eqb_eq with (2 := H). intros [a d] [b e]; unfold pair_eqb; simpl; intros E; parts; same.
    f_equal; [assumption | now apply expr_eq].
Qed.

Fixpoint plain_eqb (a b : metric) : bool :=
  match a, b with
  | Symmetric, Symmetric | ChangeOne, ChangeOne | Discrete, Discrete | Absolute, Absolute
  | L1, L1 | L2, L2 | LInf, LInf | Range, Range | Edge, Edge | Node, Node => true
  | Person v, Person w => String.eqb v w
  | Part a, Part b => plain_eqb a b
  | _, _ => false
  end.

(** Parameters are the same, and the names but for the metric where it does not matter. *)
Definition rule_alike (r s : rule) : bool :=
  match r, s with
  | Chain, Chain => true
  | PostProcess f, PostProcess g => func_eqb f g
  | RowMap t d, RowMap u e => spoken_eqb t u && domain_eqb d e
  | Filter m c, Filter n d => spoken_eqb c d
  | DropNulls m c, DropNulls n d => list_eqb String.eqb c d
  | FlatMap f d l, FlatMap g e k => func_eqb f g && domain_eqb d e && Pos.eqb l k
  | BoundContributions c v l, BoundContributions d w k => choice_eqb c d && String.eqb v w && Pos.eqb l k
  | Resize n f, Resize k g => Pos.eqb n k && spoken_eqb f g
  | ClipNorm b n d, ClipNorm c m e => Qeqb b c && norm_eqb n m && domain_eqb d e
  | Count _, Count _ => true
  | Sum m l h, Sum n l' h' => Qeqb l l' && Qeqb h h'
  | VectorSum m q b n, VectorSum m' q' c k => Qeqb b c && Pos.eqb n k
  | Histogram m n b l, Histogram m' n' c k => spoken_eqb b c && list_eqb constant_eqb l k
  | LinearQueries m l c, LinearQueries n k e => list_eqb expr_eqb l k
  | UnitQueries m l, UnitQueries n k => list_eqb expr_eqb l k
  | AbsoluteErrors l, AbsoluteErrors k => list_eqb Qeqb l k
  | MarginalErrors l g, MarginalErrors k h => list_eqb expr_eqb l k && list_eqb (list_eqb Z.eqb) g h
  | QuantileScores m l a b, QuantileScores n k c d => list_eqb Qeqb l k && Z.eqb a c && Z.eqb b d
  | Partition m b k, Partition n c l => spoken_eqb b c && list_eqb constant_eqb k l
  | Metrics a b n, Metrics c d k => plain_eqb a c && plain_eqb b d && option_eqb Pos.eqb n k
  | FromGranularity n, FromGranularity k => Pos.eqb n k
  | EdgeCount m k, EdgeCount n l | DegreeHistogram m k, DegreeHistogram n l => Pos.eqb k l
  | Triangles n, Triangles k => Pos.eqb n k
  | ClaimedTransformation f p _ d _ _, ClaimedTransformation g q _ e _ _ => func_eqb f g && func_eqb p q && domain_eqb d e
  | ClaimedMeasurement f p _ _ _, ClaimedMeasurement g q _ _ _ => func_eqb f g && func_eqb p q
  | Laplace s h, Laplace t k => Qeqb s t && Qeqb h k
  | Gaussian v s h, Gaussian w t k => Bool.eqb v w && Qeqb s t && Qeqb h k
  | GaussianProfile s h, GaussianProfile t k => Qeqb s t && Qeqb h k
  | RandomizedResponse l n p, RandomizedResponse k m q => list_eqb constant_eqb l k && Pos.eqb n m && Qeqb p q
  | UnaryEncoding l n p q, UnaryEncoding k m r s => list_eqb constant_eqb l k && Pos.eqb n m && Qeqb p r && Qeqb q s
  | HadamardResponse l n p, HadamardResponse k m q => list_eqb constant_eqb l k && Pos.eqb n m && Qeqb p q
  | Locally, Locally => true
  | Shuffled n a, Shuffled k b => Pos.eqb n k && Qeqb a b
  | PermuteAndFlip m s, PermuteAndFlip n t | Exponential m s, Exponential n t | ExponentialPure m s, ExponentialPure n t => plain_eqb m n && Qeqb s t
  | AboveThreshold m z s t h, AboveThreshold n z' s' t' h' => plain_eqb m n && Z.eqb z z' && Qeqb s s' && Qeqb t t' && Pos.eqb h h'
  | ThresholdRelease b s n, ThresholdRelease c t k => spoken_eqb b c && Qeqb s t && Z.eqb n k
  | NameAndShame d, NameAndShame e => Qeqb d e
  | RandomRow n, RandomRow k => Pos.eqb n k
  | Spread s n h, Spread t k g => spread_eqb s t && Pos.eqb n k && Qeqb h g
  | Convert a b t p w, Convert a' b' t' p' w' =>
      measure_eqb a a' && measure_eqb b b' && Bool.eqb t t' && option_eqb Qeqb p p'
  | Compose m, Compose n | Group m, Group n | Optimal m, Optimal n | Unequal m, Unequal n => measure_eqb m n
  | Advanced m s, Advanced n t | AdvancedOrPlain m s, AdvancedOrPlain n t => measure_eqb m n && Qeqb s t
  | ParallelSymmetric m k, ParallelSymmetric n l | ParallelChangeOne m k, ParallelChangeOne n l => measure_eqb m n && list_eqb constant_eqb k l
  | ParallelAlike m, ParallelAlike n | ParallelAlikeChangeOne m, ParallelAlikeChangeOne n => measure_eqb m n
  | Jointly _ _ _, Jointly _ _ _ => true
  | Overlapping m b t, Overlapping n c u => measure_eqb m n && expr_eqb b c && list_eqb (list_eqb constant_eqb) t u
  | Adaptive _ _ c _, Adaptive _ _ d _ => list_eqb func_eqb c d
  | Asking m b c _, Asking n d e _ => measure_eqb m n && Qeqb b d && Qeqb c e
  | AskingAtOrders l _, AskingAtOrders k _ => list_eqb figures_eqb l k
  | Comparing z s t h _, Comparing z' s' t' h' _ => Z.eqb z z' && Qeqb s s' && Qeqb t t' && Pos.eqb h h'
  | _, _ => false
  end.

Fixpoint alike_trees (x y : node) : bool :=
  match x, y with Tree r ps, Tree s qs => rule_alike r s && list_eqb alike_trees ps qs end.

(** [y] does what [x] does; or it is what [x] is after it was forgotten that the rows are of one number. *)
Definition alike (x y : node) : bool :=
  match y with
  | Tree Chain [Tree (Metrics ChangeOne Symmetric _) []; z] => alike_trees z x
  | y => alike_trees x y
  end.

Section Sound.
Variable I : interpretation.

Definition does_the_same (x y : node) : Prop := run (I := I) x = run y /\ denote (I := I) x = denote y.

Lemma rule_alike_ok r s : rule_alike r s = true -> step_rule (I := I) r = step_rule s /\ measure_rule (I := I) r = measure_rule s.
Proof.
  destruct r, s; simpl; try discriminate; intros H; parts; same;
  repeat match goal with H : measure_eqb _ _ = true |- _ => apply measure_eqb_eq in H | H : choice_eqb _ _ = true |- _ => apply choice_eq in H | H : spoken_eqb _ _ = true |- _ => apply spoken_eq in H | H : domain_eqb _ _ = true |- _ => apply domain_eq in H
    | H : list_eqb expr_eqb _ _ = true |- _ => apply (list_eqb_eq _ expr_eq) in H
    | H : list_eqb figures_eqb _ _ = true |- _ => apply (list_eqb_eq _ figures_eq) in H
    | H : list_eqb (list_eqb Z.eqb) _ _ = true |- _ => apply (list_eqb_eq _ (list_eqb_eq _ (fun a b => proj1 (Z.eqb_eq a b)))) in H end;
  repeat match goal with H : Bool.eqb _ _ = true |- _ => apply Bool.eqb_prop in H end;
  subst; split; apply functional_extensionality; intros []; reflexivity.
Qed.

Lemma alike_trees_ok x : forall y, alike_trees x y = true -> does_the_same x y.
Proof.
  induction x as [r ps IH] using node_ind'. intros [s qs]; simpl. intros H; parts.
  assert (F : Forall2 does_the_same ps qs).
  { clear H. revert qs H0. induction IH as [|p ps Hp _ IHps]; intros [|q qs]; simpl; try discriminate; [auto|].
    intros E; parts. constructor; auto. }
  clear H0 IH. pose proof (rule_alike_ok _ _ H) as [R1 R2].
  assert (MD : map (denote (I := I)) ps = map (denote (I := I)) qs).
  { clear -F. induction F as [|p q ps qs [_ Hd] _ IH]; simpl; [reflexivity|]. now rewrite Hd, IH. }
  split.
  - destruct r, s; try discriminate; try exact R1.
    apply functional_extensionality. clear -F. induction F as [|p q ps qs [Hr _] _ IH]; intros d; [reflexivity|].
    change (run (Tree Chain ps) (run p d) = run (Tree Chain qs) (run q d)). rewrite Hr. apply IH.
  - assert (C : combined (I := I) r (map (denote (I := I)) ps) = combined s (map (denote (I := I)) qs)).
    { rewrite MD. destruct r, s; try discriminate; try exact R2; simpl in H; parts; same;
      repeat match goal with E : expr_eqb _ _ = true |- _ => apply expr_eq in E | E : measure_eqb _ _ = true |- _ => apply measure_eqb_eq in E
      | E : list_eqb (list_eqb constant_eqb) _ _ = true |- _ => apply (list_eqb_eq _ (list_eqb_eq _ (fun a b => proj1 (constant_eqb_eq a b)))) in E end;
      subst; try reflexivity;
      destruct (map _ qs) as [|M [|]]; try exact R2; reflexivity. }
    destruct r, s; try discriminate; try exact C; clear C MD.
    2:{ assert (P : parts (I := I) denote ps = parts denote qs); [|exact (f_equal (fun Ms d => bind (all Ms d) (fun l => ret (Several l))) P)].
        clear -F. revert qs F. induction ps as [|t|t p ps IH] using pairs_ind; intros qs F; inversion F as [|? u ? us [Rt _] F1]; subst; try reflexivity;
        inversion F1 as [|? v ? vs [_ Dp] F2]; subst; [reflexivity|]. cbn [parts]. now rewrite Rt, Dp, (IH _ F2). }
    apply functional_extensionality. clear -F. induction F as [|p q ps qs [Hr Hd] F IH]; intros d; [reflexivity|].
    destruct F as [|p' q' ps qs P F]; [exact (f_equal (fun M => M d) Hd)|].
    change (denote (Tree Chain (p' :: ps)) (run p d) = denote (Tree Chain (q' :: qs)) (run q d)). rewrite Hr. apply IH.
Qed.

Lemma alike_ok x y : alike x y = true -> denote (I := I) x = denote y.
Proof.
  assert (P : alike_trees x y = true -> denote (I := I) x = denote y) by (intros H; exact (proj2 (@alike_trees_ok x y H))).
  unfold alike. intros H. destruct y as [[] ps]; try exact (P H).
  destruct ps as [|[[] [|]] [|z [|]]]; try exact (P H); destruct source; try exact (P H); destruct target; try exact (P H).
  symmetry. cbn. rewrite (proj2 (@alike_trees_ok _ _ H)). reflexivity.
Qed.
End Sound.
