(** * From JSON to the language

    Each record has exactly its fields, each read in the one way that belongs to it. *)
From Coq Require Import String List ZArith QArith Qround Bool Ascii.
From DPchecker Require Import Spread Json Language Ordered Alike.
Import ListNotations.
Open Scope string_scope.
Set Implicit Arguments.

Definition field {A} (fs : list (string * json)) (name : string) (read : json -> option A) : option A :=
  let* x := get name fs in read x.

(** At least one, and no two the same. *)
Definition different {A} (constant_of : A -> constant) (read : json -> option A) (x : json) : option (list A) :=
  let* l := some_of x in let* found := all_of read l in let* _ := guard (distinct (map constant_of found)) in Some found.
Definition names_ (x : json) : option (list string) :=
  match x with JList [] => Some [] | _ => different CText text x end.

Definition constant_ (x : json) : option constant :=
  let* fs := fields_of ["op"; "value"] x in
  let* op := field fs "op" text in let* v := get "value" fs in
  if String.eqb op "null" then match v with JNull => Some CNull | _ => None end else
  if String.eqb op "truth" then match v with JBool b => Some (CTruth b) | _ => None end else
  if String.eqb op "text" then option_map CText (text v) else
  if String.eqb op "number" then option_map CNumber (number_ v) else
  if String.eqb op "date" then option_map CDate (text v) else None.
Definition constants := different (fun c => c) constant_.

(** Whole numbers one after another, by the first and the last: at least two, and no more than so many. *)
Definition longest_range : Z := 65536.
Fixpoint count_from (n : nat) (z : Z) : list constant := match n with O => [] | S n => CNumber (inject_Z z) :: count_from n (z + 1) end.
Definition range_ (x : json) : option (list constant) :=
  let* l := list_of x in
  match l with
  | [a; b] =>
      let* first := whole_number a in let* last := whole_number b in
      let* _ := guard (Z.ltb first last && Z.ltb (last - first) longest_range) in Some (count_from (Z.to_nat (last - first + 1)) first)
  | _ => None
  end.

(** Sixty-four hexadecimal digits. *)
Definition hexadecimal (c : ascii) : bool := let k := N_of_ascii c in (N.leb 48 k && N.leb k 57) || (N.leb 97 k && N.leb k 102).
Definition digest_ (x : json) : option string :=
  let* d := text x in let l := list_ascii_of_string d in
  let* _ := guard (no_longer 64 l && Nat.eqb (length l) 64 && forallb hexadecimal l) in Some d.
Definition func_ (x : json) : option func :=
  let* fs := fields_of ["name"; "digest"] x in
  let* n := field fs "name" text in let* d := field fs "digest" digest_ in Some {| name_of := n; digest_of := d |}.

Definition has_field (name : string) (x : json) : bool :=
  match x with JObject fs => match get name fs with Some _ => true | None => false end | _ => false end.

Fixpoint expr_ (fuel : nat) (x : json) : option expr :=
  match fuel with
  | O => None
  | S fuel =>
      let* all := object_of x in
      let* op := field all "op" text in
      if member op ["null"; "truth"; "text"; "number"; "date"] then option_map EConstant (constant_ x) else
      let typed := if has_field "type" x then ["type"] else [] in
      let type := if has_field "type" x then option_map Some (field all "type" text) else Some None in
      if String.eqb op "row" then let* _ := fields_of ("op" :: typed) x in option_map ERow type else
      if String.eqb op "field" then
        let* _ := fields_of ("op" :: "name" :: typed) x in
        let* n := field all "name" text in let* t := type in Some (EField n t)
      else
        let* _ := fields_of ["op"; "of"] x in
        let* l := field all "of" some_of in
        let* operands := all_of (expr_ fuel) l in Some (EOperation op operands)
  end.
Definition depth : nat := 250.
Definition expression_ := expr_ depth.

Definition spoken_ (x : json) : option spoken :=
  match x with
  | JObject [(kind, v)] =>
      if String.eqb kind "expression" then option_map Expression (expression_ v) else
      if String.eqb kind "record" then
        let* fs := object_of v in
        option_map Fields (all_of (fun p => let* e := expression_ (snd p) in Some (fst p, e)) fs)
      else if String.eqb kind "function" then option_map Function (func_ v) else None
  | _ => None
  end.

Definition norm_ (x : json) : option norm :=
  let* s := text x in
  if String.eqb s "L1" then Some N1 else if String.eqb s "L2" then Some N2 else if String.eqb s "LInf" then Some NInf else None.

(** Multiples of the step from low to high; there must be one. *)
Definition number_domain (low high step : option Q) : option domain :=
  let low := match low, step with Some l, Some s => Some (Qred (inject_Z (Qceiling (l / s)) * s)) | l, _ => l end in
  let high := match high, step with Some h, Some s => Some (Qred (inject_Z (Qfloor (h / s)) * s)) | h, _ => h end in
  let* _ := guard (match low, high with Some l, Some h => Qle_bool l h | _, _ => true end) in
  Some (DNumber low high step).

(** The fields of a record stand in the order of their names. *)
Fixpoint domain_at (fuel : nat) (x : json) : option domain :=
  match fuel with
  | O => None
  | S fuel =>
      let* all := object_of x in
      let* kind := field all "kind" text in
      let only names := fields_of ("kind" :: names) x in
      let each := field all "each" (domain_at fuel) in
      if String.eqb kind "integers" then
        let* _ := only ["low"; "high"] in let* l := field all "low" (maybe number_) in let* h := field all "high" (maybe number_) in
        number_domain l h (Some 1%Q)
      else if String.eqb kind "numbers" then
        let* _ := only ["low"; "high"; "step"] in let* l := field all "low" (maybe number_) in let* h := field all "high" (maybe number_) in
        let* s := field all "step" (maybe positive_) in number_domain l h s
      else if String.eqb kind "booleans" then let* _ := only [] in Some DBooleans
      else if String.eqb kind "text" then let* _ := only [] in Some DText
      else if String.eqb kind "date" then
        let* _ := only ["first"; "last"] in let* f := field all "first" (maybe text) in let* l := field all "last" (maybe text) in
        let or_none x := match x with Some s => s | None => "" end in Some (DDate (or_none f) (or_none l))
      else if String.eqb kind "categories" then let* _ := only ["values"] in option_map DCategories (field all "values" constants)
      else if String.eqb kind "optional" then let* _ := only ["each"] in option_map DOptional each
      else if String.eqb kind "fields" then
        let* _ := only ["fields"] in let* fs := field all "fields" object_of in
        option_map (fun l => DFields (ByName.sort l)) (all_of (fun p => let* d := domain_at fuel (snd p) in Some (fst p, d)) fs)
      else if String.eqb kind "vector" then
        let* _ := only ["each"; "size"; "norm"; "bound"] in let* e := each in let* n := field all "size" counting in
        let* m := field all "norm" (maybe norm_) in let* b := field all "bound" (maybe from_zero) in Some (DVector e n m b)
      else if String.eqb kind "rows" then
        let* _ := only ["each"; "size"] in let* e := each in let* n := field all "size" (maybe counting) in Some (DRows e n)
      else if String.eqb kind "parts" then
        let* _ := only ["each"; "values"] in let* e := each in let* v := field all "values" constants in Some (DParts e v)
      else if String.eqb kind "graphs" then let* _ := only ["size"] in option_map DGraphs (field all "size" counting)
      else None
  end.
Definition domain_ := domain_at depth.

Fixpoint metric_at (fuel : nat) (x : json) : option metric :=
  match fuel with
  | O => None
  | S fuel =>
      let* all := object_of x in
      let* kind := field all "kind" text in
      let only names := fields_of ("kind" :: names) x in
      let plain m := let* _ := only [] in Some m in
      if String.eqb kind "SymmetricDistance" then plain Symmetric else
      if String.eqb kind "ChangeOneDistance" then plain ChangeOne else
      if String.eqb kind "DiscreteDistance" then plain Discrete else
      if String.eqb kind "AbsoluteDistance" then plain Absolute else
      if String.eqb kind "L1Distance" then plain L1 else
      if String.eqb kind "L2Distance" then plain L2 else
      if String.eqb kind "LInfDistance" then plain LInf else
      if String.eqb kind "RangeDistance" then plain Range else
      if String.eqb kind "EdgeDistance" then plain Edge else
      if String.eqb kind "NodeDistance" then plain Node else
      if String.eqb kind "PersonDistance" then let* _ := only ["person"] in option_map Person (field all "person" text) else
      if String.eqb kind "PartDistance" then let* _ := only ["within"] in option_map Part (field all "within" (metric_at fuel)) else
      if String.eqb kind "Granularity" then
        let* _ := only ["name"; "function"; "rows"] in let* n := field all "name" text in let* f := field all "function" func_ in
        let* r := field all "rows" (maybe counting) in Some (Granularity n f r) else
      if String.eqb kind "PathGranularity" then
        let* _ := only ["name"; "function"; "rows"] in let* n := field all "name" text in let* f := field all "function" func_ in
        let* r := field all "rows" (maybe counting) in Some (PathGranularity n f r)
      else None
  end.
Definition metric_ := metric_at depth.

Definition measure_named (s : string) : option measure :=
  if String.eqb s "pure" then Some MPure else if String.eqb s "approx" then Some MApprox else
  if String.eqb s "zcdp" then Some MZcdp else if String.eqb s "total_variation" then Some MTotalVariation else
  if String.eqb s "gaussian" then Some MGaussian else
  if String.eqb s "renyi" then Some MRenyi else if String.eqb s "profile" then Some MProfile else
  if String.eqb s "tradeoff" then Some MTradeoff else if String.eqb s "approximate_zcdp" then Some MApproxZcdp else None.

Definition figures_of (m : measure) : list string :=
  match m with
  | MPure => ["epsilon"] | MApprox => ["epsilon"; "delta"] | MZcdp => ["rho"] | MTotalVariation => ["delta"] | MGaussian => ["mu"]
  | MRenyi | MProfile | MTradeoff => ["points"] | MApproxZcdp => ["rho"; "delta"]
  end.

(** ** Rules by name: the parameters of each, its witness, and what they are read as *)
Definition reader : Type := list (string * json) -> option rule.
Record shape := { parameters_of : list string; witness_of : list string; reads : reader }.
Definition plain_rule (r : rule) : shape := {| parameters_of := []; witness_of := []; reads := fun _ => Some r |}.
Definition rule_with (names : list string) (read : reader) : shape := {| parameters_of := names; witness_of := []; reads := read |}.

Definition adding : list (string * measure) := 
  [("pure", MPure); ("approx", MApprox); ("zcdp", MZcdp); ("gaussian", MGaussian); ("total_variation", MTotalVariation)].
Definition grouping : list (string * measure) := (adding ++ [("profile", MProfile)])%list.
Definition composing : list (string * measure) := (grouping ++ [("renyi", MRenyi); ("tradeoff", MTradeoff)])%list.
Definition with_orders : list (string * measure) := ("renyi", MRenyi) :: adding.
(** With one that has no rule for groups. *)
Definition with_pairs (names : list (string * measure)) : list (string * measure) := (names ++ [("approximate_zcdp", MApproxZcdp)])%list.
Definition figures_first : list (string * measure) := [("pure", MPure); ("approx", MApprox)].
Definition suffixed (s : string) (names : list (string * measure)) (make : measure -> shape) : list (string * shape) :=
  map (fun p => (s ++ fst p, make (snd p))) names.

Definition from_names : list (string * from) := [("symmetric", FromSymmetric); ("change_one", FromChangeOne); ("person", FromPerson)].
Definition two_names : list (string * from) := [("symmetric", FromSymmetric); ("change_one", FromChangeOne)].
Definition with_filtered : list (string * from) := (two_names ++ [("filtered", FromFiltered)])%list.
Definition each_from (s : string) (names : list (string * from)) (make : from -> shape) : list (string * shape) :=
  map (fun p => (s ++ "_" ++ fst p, make (snd p))) names.

Definition whole_from_zero (x : json) : option Z := let* z := whole_number x in let* _ := guard (Z.leb 0 z) in Some z.
Definition histogram_ (m : from) (n : norm) : shape := rule_with ["by"; "bins"] (fun p =>
  let* b := field p "by" spoken_ in let* k := field p "bins" constants in Some (Histogram m n b k)).
Definition sized_metrics (a b : metric) : shape := rule_with ["size"] (fun p =>
  let* n := field p "size" counting in Some (Metrics a b (Some n))).
Definition vector_sum_ (squared : bool) (m : from) : shape := rule_with ["bound"; "size"] (fun p =>
  let* b := field p "bound" from_zero in let* n := field p "size" counting in Some (VectorSum m squared b n)).

(** Figures at some distances. *)
Definition table (columns : nat) (x : json) : option (list (list Q)) :=
  let* l := some_of x in
  all_of (fun each => let* l := list_of each in let* _ := guard (Nat.eqb (length l) columns) in all_of from_zero l) l.
Definition promising (names : list string) (read : reader) : shape :=
  {| parameters_of := "function" :: "map" :: "source" :: names; witness_of := ["promised"]; reads := read |}.
Definition claimed_transformation : shape := promising ["output"; "target"] (fun p =>
  let* f := field p "function" func_ in let* g := field p "map" func_ in let* s := field p "source" metric_ in
  let* o := field p "output" domain_ in let* t := field p "target" metric_ in let* l := field p "promised" (table 2) in
  Some (ClaimedTransformation f g s o t (map (fun row => (nth 0 row 0%Q, nth 1 row 0%Q)) l))).
Definition claimed_measurement : shape := promising ["measure"] (fun p =>
  let* f := field p "function" func_ in let* g := field p "map" func_ in let* s := field p "source" metric_ in
  let* m := (let* name := field p "measure" text in measure_named name) in
  let many := if curved m then 2%nat else length (figures_of m) in
  let* l := field p "promised" (table (S many)) in
  let at_point row := if curved m then (nth 1 row 0, (nth 2 row 0, 0))%Q else (0, (nth 1 row 0, nth 2 row 0))%Q in
  Some (ClaimedMeasurement f g s m (map (fun row => (nth 0 row 0%Q, at_point row)) l))).
Definition scaled (make : Q -> rule) : shape := rule_with ["scale"] (fun p => option_map make (field p "scale" positive_)).
Definition converts (a b : measure) : shape := plain_rule (Convert a b true None []).
(** With a delta, and with the order alpha as a witness; with the points of a curve as a witness, ten thousand at most. *)
Definition at_delta (a b : measure) (tight : bool) : shape := rule_with ["delta"] (fun p =>
  let* d := field p "delta" unit_ in Some (Convert a b tight (Some d) [])).
Definition at_order (a b : measure) : shape := {| parameters_of := ["delta"]; witness_of := ["alpha"]; reads := fun p =>
  let* d := field p "delta" unit_ in let* x := field p "alpha" above_one in Some (Convert a b true (Some d) [x]) |}.
Definition at_points (a b : measure) (name : string) (read : json -> option Q) : shape :=
  {| parameters_of := []; witness_of := [name]; reads := fun p =>
     let* l := field p name some_of in let* _ := guard (no_longer 10000 l) in let* xs := all_of read l in Some (Convert a b true None xs) |}.

Definition sparse (m : metric) : shape := rule_with ["threshold"; "threshold_scale"; "query_scale"; "hits"] (fun p =>
  let* t := field p "threshold" whole_number in let* a := field p "threshold_scale" positive_ in
  let* b := field p "query_scale" positive_ in let* c := field p "hits" counting in Some (AboveThreshold m t a b c)).

(** The losses of stages: so many figures each as the measure has. *)
Definition loss_ (m : measure) (x : json) : option (Q * Q) :=
  let* l := some_of x in let* figures := all_of from_zero l in
  match m, figures with
  | MApprox, [a; b] | MApproxZcdp, [a; b] => Some (a, b) | MApprox, _ | MApproxZcdp, _ => None | _, [a] => Some (a, 0%Q) | _, _ => None end.
Definition adaptive_ (m : measure) : shape := rule_with ["losses"; "choices"; "source"] (fun p =>
  let* l := field p "losses" some_of in let* losses := all_of (loss_ m) l in
  let* c := field p "choices" some_of in let* choices := all_of func_ c in
  let* s := field p "source" metric_ in Some (Adaptive m losses choices s)).
Definition asking_ (m : measure) : shape := rule_with ["budget"; "source"] (fun p =>
  let* l := field p "budget" (loss_ m) in let* s := field p "source" metric_ in Some (Asking m (fst l) (snd l) s)).
Definition asking_at_orders_ : shape := rule_with ["budget"; "orders"; "source"] (fun p =>
  let* b := field p "budget" some_of in let* most := all_of from_zero b in
  let* l := field p "orders" some_of in let* _ := guard (no_longer 10000 l) in let* orders := all_of above_one l in
  let* _ := guard (Nat.eqb (length orders) (length most)) in
  let* s := field p "source" metric_ in Some (AskingAtOrders (combine orders most) s)).
Definition comparing_ : shape := rule_with ["threshold"; "threshold_scale"; "query_scale"; "hits"; "source"] (fun p =>
  let* t := field p "threshold" whole_number in let* a := field p "threshold_scale" positive_ in
  let* b := field p "query_scale" positive_ in let* c := field p "hits" counting in
  let* s := field p "source" metric_ in Some (Comparing t a b c s)).
Definition jointly_ (m : measure) : shape := rule_with ["joint"; "source"] (fun p =>
  let* l := field p "joint" some_of in let* joint := all_of (fun v => let* v := some_of v in all_of from_zero v) l in
  let* s := field p "source" metric_ in Some (Jointly m joint s)).

Definition overlapping_ (m : measure) : shape := rule_with ["by"; "touched"] (fun p =>
  let* b := field p "by" spoken_ in
  match b with
  | Expression e => let* l := field p "touched" some_of in let* t := all_of constants l in Some (Overlapping m e t)
  | _ => None end).

Definition by_degree (r : positive -> rule) : shape := rule_with ["degree"] (fun p => option_map r (field p "degree" counting)).

Definition shapes : list (string * shape) :=
  [("chain", plain_rule Chain);
   ("post_process", rule_with ["function"] (fun p => option_map PostProcess (field p "function" func_)));
   ("row_map", rule_with ["to"; "domain"] (fun p => let* t := field p "to" spoken_ in let* d := field p "domain" domain_ in Some (RowMap t d)));
   ("flat_map_symmetric", rule_with ["function"; "domain"; "limit"] (fun p =>
      let* f := field p "function" func_ in let* d := field p "domain" domain_ in let* n := field p "limit" counting in Some (FlatMap f d n)));
   ("bound_contributions_person", rule_with ["person"; "limit"] (fun p =>
      let* w := field p "person" text in let* n := field p "limit" counting in Some (BoundContributions InOrder w n)));
   ("bound_contributions_fair_person", rule_with ["person"; "limit"] (fun p =>
      let* w := field p "person" text in let* n := field p "limit" counting in Some (BoundContributions Fairly w n)));
   ("bound_contributions_first_by_person", rule_with ["person"; "order"; "limit"] (fun p =>
      let* w := field p "person" text in let* o := field p "order" spoken_ in let* n := field p "limit" counting in
      match o with Expression e => Some (BoundContributions (FirstBy e) w n) | _ => None end));
   ("resize_symmetric", rule_with ["size"; "fill"] (fun p =>
      let* n := field p "size" counting in let* f := field p "fill" spoken_ in Some (Resize n f)));
   ("clip_norm_rows", rule_with ["bound"; "norm"; "domain"] (fun p =>
      let* b := field p "bound" from_zero in let* n := field p "norm" norm_ in let* d := field p "domain" domain_ in Some (ClipNorm b n d)));
   ("histogram_symmetric", histogram_ FromSymmetric N1); ("histogram_l2_symmetric", histogram_ FromSymmetric N2);
   ("histogram_l1_change_one", histogram_ FromChangeOne N1); ("histogram_l2_change_one", histogram_ FromChangeOne N2);
   ("histogram_linf_change_one", histogram_ FromChangeOne NInf);
   ("histogram_linf_filtered", histogram_ FromFiltered NInf); ("histogram_l2_filtered", histogram_ FromFiltered N2);
   ("histogram_one_bin_change_one", histogram_ FromOneBin N1); ("histogram_one_bin_l2_change_one", histogram_ FromOneBin N2);
   ("histogram_one_bin_filtered", histogram_ FromOneBinFiltered N1); ("histogram_one_bin_l2_filtered", histogram_ FromOneBinFiltered N2);
   ("absolute_errors", rule_with ["guess"] (fun p =>
      let* l := field p "guess" some_of in let* c := all_of number_ l in Some (AbsoluteErrors c)));
   ("marginal_errors_symmetric", rule_with ["queries"; "guesses"] (fun p =>
      let* l := field p "queries" some_of in let* q := all_of expression_ l in
      let* l := field p "guesses" some_of in let* g := all_of (fun v => let* v := some_of v in all_of whole_from_zero v) l in
      Some (MarginalErrors q g)));
   ("change_one_to_symmetric", plain_rule (Metrics ChangeOne Symmetric None));
   ("symmetric_to_change_one", plain_rule (Metrics Symmetric ChangeOne None));
   ("l2_to_l1", sized_metrics L2 L1); ("linf_to_l1", sized_metrics LInf L1); ("linf_to_l2", sized_metrics LInf L2);
   ("l1_to_l2", plain_rule (Metrics L1 L2 None)); ("l2_to_linf", plain_rule (Metrics L2 LInf None));
   ("l1_to_linf", plain_rule (Metrics L1 LInf None)); ("l1_to_range", plain_rule (Metrics L1 Range None));
   ("linf_to_range", plain_rule (Metrics LInf Range None)); ("range_to_linf", plain_rule (Metrics Range LInf None));
   ("edge_to_node", plain_rule (Metrics Edge Node None)); ("node_to_edge", sized_metrics Node Edge);
   ("edge_count_edge", by_degree (EdgeCount Edge)); ("edge_count_node", by_degree (EdgeCount Node));
   ("degree_histogram_edge", by_degree (DegreeHistogram Edge)); ("degree_histogram_node", by_degree (DegreeHistogram Node));
   ("triangles_edge", rule_with ["size"] (fun p => option_map Triangles (field p "size" counting)));
   ("granularity_to_symmetric", rule_with ["rows"] (fun p => option_map FromGranularity (field p "rows" counting)));
   ("claimed_transformation", claimed_transformation); ("claimed_measurement", claimed_measurement);
   ("laplace", rule_with ["scale"; "step"] (fun p => let* s := field p "scale" positive_ in let* h := field p "step" positive_ in Some (Laplace s h)));
   ("gaussian", rule_with ["sigma_squared"; "step"] (fun p =>
      let* s := field p "sigma_squared" positive_ in let* h := field p "step" positive_ in Some (Gaussian false s h)));
   ("gaussian_vector", rule_with ["sigma_squared"; "step"] (fun p =>
      let* s := field p "sigma_squared" positive_ in let* h := field p "step" positive_ in Some (Gaussian true s h)));
   ("gaussian_profile", rule_with ["sigma_squared"; "step"] (fun p =>
      let* s := field p "sigma_squared" positive_ in let* h := field p "step" positive_ in Some (GaussianProfile s h)));
   ("randomized_response", rule_with ["answers"; "k"; "p"] (fun p =>
      let* a := field p "answers" constants in let* k := field p "k" counting in let* q := field p "p" unit_ in Some (RandomizedResponse a k q)));
   ("unary_encoding", rule_with ["answers"; "k"; "p"; "q"] (fun r =>
      let* a := field r "answers" constants in let* k := field r "k" counting in let* p := field r "p" unit_ in
      let* q := field r "q" unit_ in Some (UnaryEncoding a k p q)));
   ("hadamard_response", rule_with ["answers"; "k"; "p"] (fun r =>
      let* a := field r "answers" constants in let* k := field r "k" counting in let* p := field r "p" unit_ in Some (HadamardResponse a k p)));
   ("locally_pure", plain_rule Locally);
   ("shuffled_pure", rule_with ["size"; "delta"] (fun p =>
      let* n := field p "size" counting in let* d := field p "delta" unit_ in Some (Shuffled n d)));
   ("threshold_release", rule_with ["by"; "scale"; "at_least"] (fun p =>
      let* b := field p "by" spoken_ in let* s := field p "scale" positive_ in let* t := field p "at_least" whole_number in
      let* _ := guard (Z.leb 2 t) in Some (ThresholdRelease b s t)));
   ("name_and_shame", rule_with ["delta"] (fun p => option_map NameAndShame (field p "delta" unit_)));
   ("random_row", rule_with ["size"] (fun p => option_map RandomRow (field p "size" counting)));
   ("permute_and_flip_linf", scaled (PermuteAndFlip LInf)); ("permute_and_flip_range", scaled (PermuteAndFlip Range));
   ("exponential_linf", scaled (Exponential LInf)); ("exponential_range", scaled (Exponential Range));
   ("exponential_pure_linf", scaled (ExponentialPure LInf)); ("exponential_pure_range", scaled (ExponentialPure Range));
   ("above_threshold_linf", sparse LInf); ("above_threshold_range", sparse Range);
   ("pure_to_zcdp", converts MPure MZcdp); ("pure_to_approx", converts MPure MApprox); ("pure_to_total_variation", converts MPure MTotalVariation);
   ("approx_to_total_variation", converts MApprox MTotalVariation); ("total_variation_to_approx", converts MTotalVariation MApprox);
   ("pure_to_renyi", converts MPure MRenyi); ("zcdp_to_renyi", converts MZcdp MRenyi);
   ("pure_to_gaussian", {| parameters_of := []; witness_of := ["mu"]; reads := fun p =>
      let* mu := field p "mu" positive_ in Some (Convert MPure MGaussian true None [mu]) |});
   ("gaussian_to_zcdp", converts MGaussian MZcdp); ("gaussian_to_renyi", converts MGaussian MRenyi);
   ("gaussian_to_profile", converts MGaussian MProfile);
   ("gaussian_to_tradeoff", at_points MGaussian MTradeoff "epsilons" from_zero);
   ("pure_to_profile", converts MPure MProfile); ("approx_to_profile", converts MApprox MProfile);
   ("total_variation_to_profile", converts MTotalVariation MProfile); ("profile_to_total_variation", converts MProfile MTotalVariation);
   ("pure_to_tradeoff", converts MPure MTradeoff); ("approx_to_tradeoff", converts MApprox MTradeoff);
   ("total_variation_to_tradeoff", converts MTotalVariation MTradeoff);
   ("zcdp_to_approx", at_delta MZcdp MApprox false); ("zcdp_to_approx_tight", at_order MZcdp MApprox); ("renyi_to_approx", at_order MRenyi MApprox);
   ("zcdp_to_profile", at_points MZcdp MProfile "orders" above_one);
   ("pure_to_approximate_zcdp", converts MPure MApproxZcdp); ("zcdp_to_approximate_zcdp", converts MZcdp MApproxZcdp);
   ("approx_to_approximate_zcdp", converts MApprox MApproxZcdp);
   ("approximate_zcdp_to_profile", at_points MApproxZcdp MProfile "orders" above_one);
   ("approximate_zcdp_to_approx", {| parameters_of := ["slack"]; witness_of := ["alpha"]; reads := fun p =>
      let* d := field p "slack" unit_ in let* x := field p "alpha" above_one in Some (Convert MApproxZcdp MApprox true (Some d) [x]) |});
   ("profile_to_tradeoff", at_points MProfile MTradeoff "epsilons" from_zero); ("tradeoff_to_profile", at_points MTradeoff MProfile "alphas" unit_);
   ("profile_to_approx", {| parameters_of := ["at_most"]; witness_of := ["epsilon"]; reads := fun p =>
      let* d := field p "at_most" (maybe unit_) in let* e := field p "epsilon" from_zero in Some (Convert MProfile MApprox true d [e]) |})]
  ++ map (fun s => (called (line_of s), rule_with [counted (line_of s); "step"] (fun p =>
       let* n := field p (counted (line_of s)) counting in let* h := field p "step" positive_ in Some (Spread s n h)))) spreads
  ++ each_from "filter" from_names (fun m => rule_with ["condition"] (fun p => option_map (Filter m) (field p "condition" spoken_)))
  ++ each_from "drop_nulls" from_names (fun m => rule_with ["names"] (fun p => option_map (DropNulls m) (field p "names" names_)))
  ++ each_from "count" with_filtered (fun m => plain_rule (Count m))
  ++ each_from "sum" with_filtered (fun m => rule_with ["low"; "high"] (fun p =>
       let* l := field p "low" number_ in let* h := field p "high" number_ in Some (Sum m l h)))
  ++ each_from "vector_sum" two_names (vector_sum_ false) ++ each_from "vector_sum_l2" two_names (vector_sum_ true)
  ++ each_from "linear_queries" two_names (fun m => rule_with ["queries"; "column"] (fun p =>
       let* l := field p "queries" some_of in let* q := all_of expression_ l in
       let* c := field p "column" from_zero in Some (LinearQueries m q c)))
  ++ each_from "linear_queries_linf" two_names (fun m => rule_with ["queries"] (fun p =>
       let* l := field p "queries" some_of in let* q := all_of expression_ l in Some (UnitQueries m q)))
  ++ each_from "quantile_scores" with_filtered (fun m => rule_with ["candidates"; "a"; "b"] (fun p =>
       let* c := field p "candidates" (different CNumber number_) in let* a := field p "a" whole_number in let* b := field p "b" counting in
       let* _ := guard (Z.leb 0 a) in Some (QuantileScores m c a (Zpos b))))
  ++ each_from "partition" two_names (fun m => rule_with ["by"; "keys"] (fun p =>
       let* b := field p "by" spoken_ in let* k := field p "keys" constants in Some (Partition m b k)))
  ++ each_from "partition_range" two_names (fun m => rule_with ["by"; "range"] (fun p =>
       let* b := field p "by" spoken_ in let* _ := guard (match b with Expression _ => true | _ => false end) in
       let* k := field p "range" range_ in Some (Partition m b k)))
  ++ suffixed "compose_" (with_pairs composing) (fun m => plain_rule (Compose m))
  ++ suffixed "advanced_composition_" figures_first (fun m => rule_with ["slack"] (fun q => option_map (Advanced m) (field q "slack" unit_)))
  ++ suffixed "advanced_or_plain_" figures_first (fun m => rule_with ["slack"] (fun q => option_map (AdvancedOrPlain m) (field q "slack" unit_)))
  ++ suffixed "optimal_composition_" figures_first (fun m => plain_rule (Optimal m))
  ++ suffixed "unequal_composition_" figures_first (fun m => plain_rule (Unequal m))
  ++ suffixed "adaptive_" adding adaptive_ ++ suffixed "filter_" (with_pairs adding) asking_ ++ [("filter_renyi", asking_at_orders_); ("above_threshold_asked_pure", comparing_)] ++ suffixed "general_composition_" adding jointly_ ++ suffixed "overlapping_symmetric_" adding overlapping_
  ++ suffixed "group_" composing (fun m => plain_rule (Group m))
  ++ suffixed "parallel_symmetric_" (("renyi", MRenyi) :: with_pairs grouping) (fun m => rule_with ["keys"] (fun p => option_map (ParallelSymmetric m) (field p "keys" constants)))
  ++ suffixed "parallel_change_one_" with_orders (fun m => rule_with ["keys"] (fun p => option_map (ParallelChangeOne m) (field p "keys" constants)))
  ++ suffixed "parallel_alike_symmetric_" (("renyi", MRenyi) :: with_pairs grouping) (fun m => plain_rule (ParallelAlike m))
  ++ suffixed "parallel_alike_change_one_" with_orders (fun m => plain_rule (ParallelAlikeChangeOne m)).

(** ** The tree *)

Fixpoint node_at (fuel : nat) (x : json) : option node :=
  match fuel with
  | O => None
  | S fuel =>
      let* all := fields_of ["rule"; "parameters"; "premises"; "witness"] x in
      let* name := field all "rule" text in
      let* premises := field all "premises" list_of in
      match get name shapes with
      | Some s =>
          let* ps := field all "parameters" (fields_of (parameters_of s)) in
          let* ws := field all "witness" (fields_of (witness_of s)) in
          let* r := reads s (ps ++ ws)%list in
          let* trees := all_of (node_at fuel) premises in Some (Tree r trees)
      | None => None
      end
  end.

Definition point_ (x : json) : option (Q * (Q * Q)) :=
  let* l := list_of x in match l with [x; y] => let* u := from_zero x in let* v := from_zero y in Some (u, (v, 0%Q)) | _ => None end.

(** So many claims at most, as every one is worked out by itself. The library writes one. *)
Definition most_claims : Z := 1000.
Definition claim_ (x : json) : option claim :=
  let* all := fields_of ["d_in"; "measure"; "loss"] x in
  let* d := field all "d_in" positive_ in
  let* m := (let* s := field all "measure" text in measure_named s) in
  let* fs := field all "loss" (fields_of (figures_of m)) in
  let* said := match figures_of m with
    | [a] => if curved m then let* l := field fs a some_of in all_of point_ l
             else let* u := field fs a from_zero in Some [(0%Q, (u, 0%Q))]
    | [a; b] => let* u := field fs a from_zero in let* v := field fs b from_zero in Some [(0%Q, (u, v))]
    | _ => None
    end in
  Some {| d_in := d; claimed_measure := m; claimed := said |}.

Definition format : string := "dpcore-certificate/1".

Definition certificate_ (x : json) : option certificate :=
  let* all := fields_of ["format"; "dpcore"; "code"; "neighbours"; "space"; "derivation"; "claims"; "assumptions"; "attention"; "evidence"] x in
  let* f := field all "format" text in let* _ := guard (String.eqb f format) in
  let* _ := field all "dpcore" text in let* _ := field all "code" text in
  let* n := field all "neighbours" text in
  let* s := field all "space" (fields_of ["domain"; "metric"]) in
  let* d := field s "domain" domain_ in let* m := field s "metric" metric_ in
  let* t := field all "derivation" (node_at depth) in
  let* cs := (let* l := field all "claims" some_of in let* _ := guard (no_longer most_claims l) in all_of claim_ l) in
  let* a := field all "assumptions" names_ in let* b := field all "attention" names_ in let* _ := field all "evidence" names_ in
  Some {| neighbours := n; input := d; input_metric := m; derivation := t; claims := cs; assumptions := a; attention := b |}.
