(** * The language of certificates, as first-order data

    The tree of a certificate: rules with their parameters and premises. A row expression is kept as it is written, and a
    function of the user's own as its name and digest; [Meaning.v] gives them no meaning of ours, but quantifies over all. *)
From Coq Require Import String List ZArith QArith Bool.
From DPchecker Require Import Spread.
Import ListNotations.
Set Implicit Arguments.

(** A value with its type: true is not 1. *)
Inductive constant := CNull | CTruth (b : bool) | CText (s : string) | CNumber (q : Q) | CDate (s : string).

Record func := { name_of : string; digest_of : string }.

Inductive expr :=
| EConstant (c : constant)
| ERow (type : option string)
| EField (name : string) (type : option string)
| EOperation (op : string) (operands : list expr).

(** What is done to a row. *)
Inductive spoken := Expression (e : expr) | Fields (fs : list (string * expr)) | Function (f : func).

Inductive norm := N1 | N2 | NInf.

(** What data can be. A bound that is not there is [None]; whole numbers are numbers of step 1. *)
Inductive domain :=
| DNumber (low high step : option Q)
| DBooleans
| DText
| DDate (first last : string)
| DCategories (values : list constant)
| DOptional (each : domain)
| DFields (fields : list (string * domain))
| DVector (each : domain) (size : positive) (norm_ : option norm) (bound : option Q)
| DRows (each : domain) (size : option positive)
| DParts (each : domain) (keys : list constant)
| DGraphs (size : positive)
| DUnknown.

Inductive metric :=
| Symmetric | ChangeOne | Person (who : string) | Discrete | Absolute | L1 | L2 | LInf | Range | Part (within : metric)
| Edge | Node | Granularity (name : string) (f : func) (rows : option positive)
| PathGranularity (name : string) (f : func) (rows : option positive) (* how many steps of such a relation join two data *)
| Moved. (* no input is measured so: of rows d apart at most d/2 leave and at most d/2 enter, as after a filter of replaced rows *)

(** From which distance of rows a rule starts. *)
Inductive from := FromSymmetric | FromChangeOne | FromPerson | FromFiltered | FromOneBin | FromOneBinFiltered.

(** In what losses are counted. Three are curves. *)
Inductive measure := MPure | MApprox | MZcdp | MTotalVariation | MGaussian | MRenyi | MProfile | MTradeoff | MApproxZcdp.
Definition curved (m : measure) : bool := match m with MRenyi | MProfile | MTradeoff => true | _ => false end.

(** Which rows of a person are kept: the first in an order of their values, by a key, or by an expression. *)
Inductive choice := InOrder | Fairly | FirstBy (order : expr).

Inductive rule :=
| Chain
| PostProcess (f : func)
(* transformations *)
| RowMap (to : spoken) (output : domain)
| Filter (m : from) (condition : spoken)
| DropNulls (m : from) (names : list string)
| FlatMap (f : func) (output : domain) (limit : positive)
| BoundContributions (keep : choice) (who : string) (limit : positive)
| Resize (size : positive) (fill : spoken)
| ClipNorm (bound : Q) (n : norm) (output : domain)
| Count (m : from)
| Sum (m : from) (low high : Q)
| VectorSum (m : from) (squared : bool) (bound : Q) (size : positive)
| Histogram (m : from) (n : norm) (by_ : spoken) (bins : list constant)
| LinearQueries (m : from) (queries : list expr) (column : Q)
| UnitQueries (m : from) (queries : list expr)                  (* in LInf *)
| AbsoluteErrors (guess : list Q)
| MarginalErrors (queries : list expr) (guesses : list (list Z)) (* in LInf; guesses of how many rows are 0, 1, ... *)
| QuantileScores (m : from) (candidates : list Q) (a b : Z)
| Partition (m : from) (by_ : spoken) (keys : list constant)
| Metrics (source target : metric) (size : option positive)
| FromGranularity (rows : positive)
| EdgeCount (m : metric) (degree : positive)
| DegreeHistogram (m : metric) (degree : positive)
| Triangles (size : positive)
(* a function of the user's own and the user's map for it, as figures at some distances *)
| ClaimedTransformation (f map : func) (source : metric) (output : domain) (target : metric) (promised : list (Q * Q))
(* measurements *)
| Laplace (scale step : Q)
| Gaussian (vector : bool) (sigma_squared step : Q)
| GaussianProfile (sigma_squared step : Q)
| RandomizedResponse (answers : list constant) (k : positive) (p : Q)
| UnaryEncoding (answers : list constant) (k : positive) (p q : Q)
| HadamardResponse (answers : list constant) (k : positive) (p : Q)
| PermuteAndFlip (m : metric) (scale : Q)
| Exponential (m : metric) (scale : Q)
| ExponentialPure (m : metric) (scale : Q)
| AboveThreshold (m : metric) (threshold : Z) (threshold_scale query_scale : Q) (hits : positive)
| ThresholdRelease (by_ : spoken) (scale : Q) (at_least : Z)
| NameAndShame (delta : Q)
| RandomRow (size : positive)
| Spread (s : spread) (n : positive) (step : Q)
| ClaimedMeasurement (f map : func) (source : metric) (m : measure) (promised : list (Q * (Q * (Q * Q)))) (* at a distance, at a point of a curve *)
(* of measurements *)
| Convert (source target : measure) (tight : bool) (parameter : option Q) (witness : list Q)
| Compose (m : measure)
| Advanced (m : measure) (slack : Q)
| AdvancedOrPlain (m : measure) (slack : Q)
| Optimal (m : measure)
| Unequal (m : measure)
| Group (m : measure)
| Locally
| Shuffled (size : positive) (delta : Q)
| ParallelSymmetric (m : measure) (keys : list constant)
| ParallelChangeOne (m : measure) (keys : list constant)
| ParallelAlike (m : measure)          (* the same on every part *)
| ParallelAlikeChangeOne (m : measure)
| Jointly (m : measure) (joint : list (list Q)) (source : metric)
| Overlapping (m : measure) (by_ : expr) (touched : list (list constant))
| Adaptive (m : measure) (losses : list (Q * Q)) (choices : list func) (source : metric)
| Asking (m : measure) (budget more : Q) (source : metric) (* figures of a budget; the second is idle but for pairs *)
| AskingAtOrders (points : list (Q * Q)) (source : metric) (* of RenyiDP: orders, and the budget at each *)
| Comparing (threshold : Z) (threshold_scale query_scale : Q) (hits : positive) (source : metric).

Inductive node := Tree (r : rule) (premises : list node).

(** Of a curve: figures at some of its points; else at one point, which is idle. *)
Record claim := { d_in : Q; claimed_measure : measure; claimed : list (Q * (Q * Q)) }.

Record certificate := {
  neighbours : string;
  input : domain;
  input_metric : metric;
  derivation : node;
  claims : list claim;
  assumptions : list string;
  attention : list string }.

(** ** Equality *)
Definition Qeqb (a b : Q) : bool := Z.eqb (Qnum a) (Qnum b) && Pos.eqb (Qden a) (Qden b).

Definition constant_eqb (a b : constant) : bool :=
  match a, b with
  | CNull, CNull => true
  | CTruth a, CTruth b => Bool.eqb a b
  | CText a, CText b | CDate a, CDate b => String.eqb a b
  | CNumber a, CNumber b => Qeqb a b
  | _, _ => false
  end.

Definition measure_eqb (a b : measure) : bool :=
  match a, b with
  | MPure, MPure | MApprox, MApprox | MZcdp, MZcdp | MTotalVariation, MTotalVariation | MGaussian, MGaussian
  | MRenyi, MRenyi | MProfile, MProfile | MTradeoff, MTradeoff | MApproxZcdp, MApproxZcdp => true
  | _, _ => false
  end.
Lemma measure_eqb_eq a b : measure_eqb a b = true -> a = b. Proof. destruct a, b; discriminate || reflexivity. Qed.

Lemma Qeqb_eq a b : Qeqb a b = true <-> a = b.
Proof.
  destruct a as [n d], b as [m e]; unfold Qeqb; simpl. rewrite andb_true_iff, Z.eqb_eq, Pos.eqb_eq.
  split; [intros [-> ->]; reflexivity | intros H; injection H; auto].
Qed.

Lemma constant_eqb_eq a b : constant_eqb a b = true <-> a = b.
Proof.
  destruct a, b; simpl; try (split; congruence); rewrite ?eqb_true_iff, ?String.eqb_eq, ?Qeqb_eq; split; congruence.
Qed.

Definition func_eqb (f g : func) : bool := String.eqb (name_of f) (name_of g) && String.eqb (digest_of f) (digest_of g).
Lemma func_eq f g : func_eqb f g = true -> f = g.
Proof. destruct f, g; unfold func_eqb; simpl. rewrite andb_true_iff, !String.eqb_eq. intros [-> ->]; reflexivity. Qed.

Definition norm_eqb (a b : norm) : bool := match a, b with N1, N1 | N2, N2 | NInf, NInf => true | _, _ => false end.
Lemma norm_eq a b : norm_eqb a b = true -> a = b. Proof. destruct a, b; discriminate || reflexivity. Qed.

Definition constant_dec (a b : constant) : {a = b} + {a <> b}.
Proof.
  destruct (constant_eqb a b) eqn:E; [left; now apply constant_eqb_eq | right; intros F; apply constant_eqb_eq in F; congruence].
Defined.

(** Induction over trees. *)
Fixpoint node_ind' (P : node -> Prop) (H : forall r ps, Forall P ps -> P (Tree r ps)) (n : node) : P n :=
  match n with
  | Tree r ps => H r ps ((fix go ps : Forall P ps :=
      match ps with [] => Forall_nil P | p :: ps => Forall_cons p (@node_ind' P H p) (go ps) end) ps)
  end.

(** Induction over a list whose members come in pairs. *)
Lemma pairs_ind A (P : list A -> Prop) : P [] -> (forall a, P [a]) -> (forall a b l, P l -> P (a :: b :: l)) -> forall l, P l.
Proof. intros H0 H1 H2. fix go 1. intros [|a [|b l]]; [exact H0 | apply H1 | apply H2, go]. Qed.
