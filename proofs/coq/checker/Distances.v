(** * How far apart data are, and how far a transformation takes them

    [far_rule] follows a rule: from what is known of two data sets (facts) to what is known of the rule's outputs, and by which
    map their distance grows. That a map is right is a theorem of the theory; here it is only written down which. *)
From Coq Require Import String List ZArith QArith Qround Qreals Reals Lra Lia Bool Permutation.
From DPcore Require Import Distributions Metrics Norms Totals Sums Histograms RowStability Partition Persons Graphs Steps Filtered.
From DPchecker Require Import Language Ordered Meaning Numbers Tables Chains Named.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

(** Two data sets at a distance of at most [d]; of L2, of at most its root. *)
Definition apart {I} (m : metric) (d : R) (x y : data I) : Prop :=
  match m, x, y with
  | _, NoData, _ | _, _, NoData => False
  | Granularity name f rows, x, y => granularity I name f rows d x y
  | PathGranularity name f rows, x, y => chained (granularity I name f rows) d x y
  | Symmetric, Rows D a, Rows E b => D = E /\ symmetric d a b
  | ChangeOne, Rows D a, Rows E b => D = E /\ change_one d a b
  | Person who, Rows D a, Rows E b => D = E /\ Metrics.person constant_dec (person I who) d a b
  | Discrete, Value a, Value b => discrete d a b
  | Discrete, Number g a, Number h b => g = h /\ discrete d a b
  | Discrete, Vector g a, Vector h b => g = h /\ discrete d a b
  | Discrete, Graph n a, Graph k b => n = k /\ discrete d a b
  | Absolute, Number g a, Number h b => g = h /\ absolute (Q2R g) d a b
  | L1, Vector g a, Vector h b => g = h /\ l1 (Q2R g) d a b
  | L2, Vector g a, Vector h b => g = h /\ l2 (Q2R g) d a b
  | LInf, Vector g a, Vector h b => g = h /\ linf (Q2R g) d a b
  | Range, Vector g a, Vector h b => g = h /\ range_distance (Q2R g) d a b
  | Part Symmetric, Parts D ks p, Parts E ls q => D = E /\ ks = ls /\ NoDup ks /\ parts_symmetric ks d p q
  | Part ChangeOne, Parts D ks p, Parts E ls q => D = E /\ ks = ls /\ NoDup ks /\ parts_change_one ks d p q
  | Edge, Graph n g, Graph k h => n = k /\ edge_distance (Pos.to_nat n) d g h
  | Node, Graph n g, Graph k h => n = k /\ node_distance (Pos.to_nat n) d g h
  | Moved, Rows D a, Rows E b => D = E /\ halves d a b
  | _, _, _ => False
  end.

(** What else is known of both: the domain of the rows, how many they are, of how many entries, of how many nodes. *)
Inductive fact := Measured (m : metric) | Of (d : domain) | Sized (n : positive) | Long (n : positive) | Nodes (n : positive).

Definition fact_holds {I} (f : fact) (d : R) (x y : data I) : Prop :=
  match f, x, y with
  | Measured m, x, y => apart m d x y
  | Of D, Rows E a, Rows F b => D = E /\ D = F
  | Of D, Parts E _ a, Parts F _ b => D = E /\ D = F
  | Sized n, Rows _ a, Rows _ b => length a = Pos.to_nat n /\ length b = Pos.to_nat n
  | Long n, Vector _ a, Vector _ b => length a = Pos.to_nat n /\ length b = Pos.to_nat n
  | Nodes n, Graph a _, Graph b _ => a = n /\ b = n
  | _, _, _ => False
  end.

Definition known {I} (fs : list fact) (d : R) (x y : data I) : Prop := Forall (fun f => fact_holds f d x y) fs.

(** Data of a declared space: its shape. What else a domain says, the meaning of a rule enforces. *)
Definition lies_in {I} (D : domain) (x : data I) : Prop :=
  match D with
  | DRows each size => exists a, x = Rows each a /\ match size with Some n => length a = Pos.to_nat n | None => True end
  | DParts each keys => exists p, x = Parts each keys p
  | DVector each size _ _ => exists g v, x = Vector g v /\ length v = Pos.to_nat size /\
      match each with DNumber _ _ (Some step) => g = step | _ => True end
  | DGraphs n => exists edge, x = Graph n edge
  | _ => True
  end.

Definition facts_of (D : domain) : list fact :=
  match D with
  | DRows each size => Of each :: match size with Some n => [Sized n] | None => [] end
  | DParts each _ => [Of each]
  | DVector _ size _ _ => [Long size]
  | DGraphs n => [Nodes n]
  | _ => []
  end.

(** Where a rule met data that it is not for, both outputs are no data. *)
Definition nothing {I} (x y : data I) : Prop := x = NoData /\ y = NoData.
Definition known_or_nothing {I} fs d (x y : data I) := known fs d x y \/ nothing x y.

(** ** Maps *)
Inductive dmap := Times (k : Q) | Square (k : Q) | Root (k : Q) | Halved | Table (t : list (Q * Q)).

Definition at_r (f : dmap) (d : R) : R :=
  match f with
  | Times k => Q2R k * d
  | Square k => Q2R k * (d * d)
  | Root k => sqrt (Q2R k * d)
  | Halved => IZR (Int_part (d / 2))
  | Table t => if Rle_dec d 0 then 0 else match lowest t d with Some e => e | None => 0 end
  end.

(** Whether anything is said at that distance. *)
Definition reaches (f : dmap) (d : R) : Prop := match f with Table t => d <= 0 \/ lowest t d <> None | _ => True end.

(** The same from above, in rationals. *)
Definition at_q (f : dmap) (d : Q) : option Q :=
  match f with Table t => promised_at Qlower t d | _ => Some (Qred match f with
  | Times k => k * d
  | Square k => k * (d * d)
  | Root k => root_above (k * d)
  | Halved => inject_Z (Qfloor (d / 2))
  | Table _ => d
  end) end.

(** One after the other. *)
Fixpoint through (fs : list dmap) (d : Q) : option Q :=
  match fs with [] => Some d | f :: fs => match at_q f d with Some d => through fs d | None => None end end.

(** ** The rules *)
Fixpoint metric_eqb (a b : metric) : bool :=
  match a, b with
  | Symmetric, Symmetric | ChangeOne, ChangeOne | Discrete, Discrete | Absolute, Absolute
  | L1, L1 | L2, L2 | LInf, LInf | Range, Range | Edge, Edge | Node, Node | Moved, Moved => true
  | Person v, Person w => String.eqb v w
  | Part a, Part b => metric_eqb a b
  | Granularity n f k, Granularity m g l | PathGranularity n f k, PathGranularity m g l =>
      String.eqb n m && func_eqb f g && match k, l with None, None => true | Some k, Some l => Pos.eqb k l | _, _ => false end
  | _, _ => false
  end.
Lemma metric_eqb_eq a b : metric_eqb a b = true -> a = b.
Proof.
  revert b; induction a; intros []; simpl; try discriminate; try reflexivity.
  - intros H; apply String.eqb_eq in H; congruence.
  - intros H; f_equal; auto.
  - intros H. apply andb_prop in H. destruct H as [H H2]. apply andb_prop in H. destruct H as [H0 H1].
    apply String.eqb_eq in H0. apply func_eq in H1. subst. f_equal.
    destruct rows, rows0; try discriminate; [apply Pos.eqb_eq in H2; now subst | reflexivity].
  - intros H. apply andb_prop in H. destruct H as [H H2]. apply andb_prop in H. destruct H as [H0 H1].
    apply String.eqb_eq in H0. apply func_eq in H1. subst. f_equal.
    destruct rows, rows0; try discriminate; [apply Pos.eqb_eq in H2; now subst | reflexivity].
Qed.

Definition has (m : metric) (fs : list fact) : bool :=
  existsb (fun f => match f with Measured n => metric_eqb m n | _ => false end) fs.
Definition person_of (fs : list fact) : option string :=
  match find (fun f => match f with Measured (Person _) => true | _ => false end) fs with
  | Some (Measured (Person who)) => Some who | _ => None end.
Definition domain_of (fs : list fact) : option domain :=
  match find (fun f => match f with Of _ => true | _ => false end) fs with Some (Of d) => Some d | _ => None end.
Definition is_sized (f : fact) : bool := match f with Sized _ => true | _ => false end.
Definition is_long (f : fact) : bool := match f with Long _ => true | _ => false end.
Definition is_norm (f : fact) : bool := match f with Measured L1 | Measured L2 | Measured LInf => true | _ => false end.
Definition is_nodes (f : fact) : bool := match f with Nodes _ => true | _ => false end.
Definition sizes (fs : list fact) : list fact := filter is_sized fs.
Definition lengths (fs : list fact) : list fact := filter is_long fs.
Definition nodes (fs : list fact) : list fact := filter is_nodes fs.
Definition of_rows (fs : list fact) : list fact := match domain_of fs with Some d => [Of d] | None => [] end.

Definition dropped_rows (names : list string) (fs : list fact) : list fact :=
  match domain_of fs with Some d => [Of (nulls_dropped names d)] | None => [] end.

Definition some {A} (l : list A) : bool := negb (Nat.eqb (length l) 0).
Definition bins_ok (bins : list constant) : bool := distinct bins && some bins.
(** Of how many rows leave and enter, what is known is kept along. *)
Definition still_moved (fs : list fact) : list fact := if has Moved fs then [Measured Moved] else [].
Definition one_bin (bins : list constant) : bool := Nat.eqb (length bins) 1.
Definition entries {A} (l : list A) : fact := Long (Pos.of_nat (length l)).
Definition most_edges (n : positive) : Q := inject_Z (Zpos n - 1). (* of one node *)
Definition third_nodes (n : positive) : Q := inject_Z (Zpos n - 2).
Definition is_nodes_of (n : positive) (f : fact) : bool := match f with Nodes k => Pos.eqb n k | _ => false end.
Definition is_granularity_of (n : positive) (f : fact) : bool :=
  match f with Measured (Granularity _ _ (Some k)) | Measured (PathGranularity _ _ (Some k)) => Pos.eqb n k | _ => false end.
Definition is_long_of (n : positive) (f : fact) : bool := match f with Long k => Pos.eqb n k | _ => false end.

(** *** How long rows can be: no entry beyond the bounds of the entries, and no row beyond the bound of its norm *)
Definition most_steps (g low high : Q) : Z := Z.max (Z.abs (Qceiling (low / g))) (Z.abs (Qfloor (high / g))).
Definition norm_of_most (n : norm) (size : positive) (most : Q) : Q :=
  match n with N1 => (Zpos size # 1) * most | N2 => (Zpos size # 1) * (most * most) | NInf => most end.
(** Of L2 the bound is a square. *)
Definition no_longer (n : norm) (bound : Q) (size : positive) (g : Q) (low high : option Q) (of : option norm) (b : option Q) : bool :=
  if match low, high with
     | Some l, Some h => Qle_bool (norm_of_most n size (g * inject_Z (most_steps g l h))) bound | _, _ => false end
  then true
  else match of, b with Some k, Some c => if norm_eqb n k then Qle_bool (bound_of n c) bound else false | _, _ => false end.

(** Sums of vectors, by the norms in which no row is longer than the bound. *)
Definition sum_metrics (squared : bool) (bound : Q) (size : positive) (row : domain) : list fact :=
  match row with
  | DVector (DNumber low high (Some g)) n of b =>
      if Qlt_bool 0 g && Pos.eqb n size && Qle_bool 0 bound then
        let by_ k m := if no_longer k bound n g low high of b then [Measured m] else [] in
        if squared then by_ N2 L2 else by_ N1 L1 ++ by_ NInf LInf
      else []
  | _ => []
  end.
Definition vector_sum_facts (squared : bool) (bound : Q) (size : positive) (fs : list fact) : list fact :=
  match domain_of fs with
  | Some row => match sum_metrics squared bound size row with [] => [] | ms => Long size :: ms end
  | None => []
  end.

Definition far_rule (r : rule) (fs : list fact) : option (list fact * dmap) :=
  let once (m : metric) (rest : list fact) := Some (Measured m :: rest, Times 1) in
  let twice := Times (inject_Z 2) in
  match r with
  | RowMap to output =>
      if has Symmetric fs then once Symmetric (Of output :: sizes fs ++ still_moved fs) else
      if has ChangeOne fs then once ChangeOne (Of output :: sizes fs) else
      match person_of fs with
      | Some who => if keeps who to then once (Person who) (Of output :: sizes fs) else None
      | None => None end
  | ClipNorm _ _ output =>
      if has Symmetric fs then once Symmetric (Of output :: sizes fs ++ still_moved fs) else
      if has ChangeOne fs then once ChangeOne (Of output :: sizes fs) else None
  | Filter FromSymmetric _ => if has Symmetric fs then once Symmetric (of_rows fs ++ still_moved fs) else None
  | Filter FromChangeOne _ => if has ChangeOne fs then Some (Measured Symmetric :: Measured Moved :: of_rows fs, twice) else None
  | Filter FromPerson _ => match person_of fs with Some who => once (Person who) (of_rows fs) | None => None end
  | DropNulls FromSymmetric names => if has Symmetric fs then once Symmetric (dropped_rows names fs ++ still_moved fs) else None
  | DropNulls FromChangeOne names => if has ChangeOne fs then Some (Measured Symmetric :: Measured Moved :: dropped_rows names fs, twice) else None
  | DropNulls FromPerson names => match person_of fs with Some who => once (Person who) (dropped_rows names fs) | None => None end
  | FlatMap _ output limit =>
      if has Symmetric fs then Some ([Measured Symmetric; Of output], Times (Zpos limit # 1)) else None
  | BoundContributions _ who limit =>
      if has (Person who) fs then Some (Measured Symmetric :: of_rows fs, Times (Zpos limit # 1)) else None
  | Resize size _ => if has Symmetric fs then once ChangeOne (Sized size :: of_rows fs) else None
  | Count FromSymmetric => if has Symmetric fs then once Absolute [] else None
  | Count FromChangeOne => if has ChangeOne fs then Some ([Measured Absolute], Times 0) else None
  | Count FromFiltered => if has Moved fs then Some ([Measured Absolute], Times (1 # 2)) else None
  | Sum FromSymmetric low high =>
      if has Symmetric fs then Some ([Measured Absolute], Times (Qmax_abs low high)) else None
  | Sum FromChangeOne low high =>
      if has ChangeOne fs then Some ([Measured Absolute], Times (Qmax0 (high - low))) else None
  | Sum FromFiltered low high =>
      if has Moved fs then Some ([Measured Absolute], Times ((1 # 2) * Qmax (high - low) (Qmax_abs low high))) else None
  | VectorSum m squared bound size =>
      match vector_sum_facts squared bound size fs, m with
      | [], _ => None
      | gs, FromSymmetric => if has Symmetric fs then Some (gs, if squared then Square bound else Times bound) else None
      | gs, FromChangeOne =>
          if has ChangeOne fs then Some (gs, if squared then Square (inject_Z 4 * bound) else Times (inject_Z 2 * bound)) else None
      | _, _ => None
      end
  | LinearQueries m queries most =>
      if negb (Nat.eqb (length queries) 0) && Qle_bool 0 most then
        match m with
        | FromSymmetric => if has Symmetric fs then Some ([Measured L1; entries queries], Times most) else None
        | FromChangeOne => if has ChangeOne fs then Some ([Measured L1; entries queries], Times most) else None
        | _ => None
        end
      else None
  | UnitQueries m queries =>
      if negb (Nat.eqb (length queries) 0) then
        match m with
        | FromSymmetric => if has Symmetric fs then Some ([Measured LInf; entries queries], Times 1) else None
        | FromChangeOne => if has ChangeOne fs then Some ([Measured LInf; entries queries], Times 1) else None
        | _ => None
        end
      else None
  | AbsoluteErrors guess =>
      match filter is_norm fs, guess with
      | [], [_] => if has Absolute fs then once Absolute [] else None
      | [], _ => None
      | found, _ => Some ((found ++ lengths fs)%list, Times 1)
      end
  | MarginalErrors queries guesses =>
      if has Symmetric fs && some queries && Nat.eqb (length queries) (length guesses) then Some ([Measured LInf; entries queries], Times 1) else None
  | Histogram FromSymmetric n _ bins =>
      if has Symmetric fs && bins_ok bins then
        match n with
        | N2 => Some ([Measured L2; entries bins], Square 1)
        | _ => Some ([Measured L1; Measured LInf; Measured Range; entries bins], Times 1)
        end
      else None
  | Histogram FromChangeOne n _ bins =>
      if has ChangeOne fs && bins_ok bins then
        match n with
        | N1 => Some ([Measured L1; Measured Range; entries bins], twice)
        | N2 => Some ([Measured L2; entries bins], Square (inject_Z 2))
        | NInf => Some ([Measured LInf; entries bins], Times 1)
        end
      else None
  | Histogram FromFiltered n _ bins =>
      if has Moved fs && bins_ok bins then
        match n with
        | N1 => None
        | N2 => Some ([Measured L2; entries bins], Square (1 # 2))
        | NInf => Some ([Measured LInf; entries bins], Times (1 # 2))
        end
      else None
  | Histogram FromOneBin n _ bins =>
      if has ChangeOne fs && bins_ok bins && one_bin bins then
        match n with
        | N2 => Some ([Measured L2; entries bins], Square 1)
        | _ => Some ([Measured L1; Measured LInf; Measured Range; entries bins], Times 1)
        end
      else None
  | Histogram FromOneBinFiltered n _ bins =>
      if has Moved fs && bins_ok bins && one_bin bins then
        match n with
        | N2 => Some ([Measured L2; entries bins], Square (1 # 4))
        | _ => Some ([Measured L1; Measured LInf; Measured Range; entries bins], Times (1 # 2))
        end
      else None
  | QuantileScores FromSymmetric candidates a b =>
      if has Symmetric fs && Z.leb 0 a && Z.leb a b && some candidates
      then Some ([Measured LInf; entries candidates], Times (inject_Z (Z.max a (b - a)))) else None
  | QuantileScores FromChangeOne candidates a b =>
      if has ChangeOne fs && Z.leb 0 a && Z.leb a b && some candidates
      then Some ([Measured LInf; entries candidates], Times (inject_Z b)) else None
  | QuantileScores FromFiltered candidates a b =>
      if has Moved fs && Z.leb 0 a && Z.leb a b && some candidates
      then Some ([Measured LInf; entries candidates], Times ((1 # 2) * inject_Z b)) else None
  | Partition FromSymmetric _ keys =>
      if has Symmetric fs && distinct keys then once (Part Symmetric) (of_rows fs) else None
  | Partition FromChangeOne _ keys =>
      if has ChangeOne fs && distinct keys then once (Part ChangeOne) (of_rows fs) else None
  | Metrics ChangeOne Symmetric _ => if has ChangeOne fs then Some (Measured Symmetric :: Measured Moved :: of_rows fs ++ sizes fs, twice) else None
  | Metrics Symmetric ChangeOne _ =>
      match sizes fs with
      | [] => None
      | ss => if has Symmetric fs then Some (Measured ChangeOne :: of_rows fs ++ ss, Halved) else None
      end
  | Metrics L2 L1 (Some n) =>
      if has L2 fs then if existsb (is_long_of n) fs then Some (Measured L1 :: lengths fs, Root (Zpos n # 1)) else None else None
  | Metrics LInf L1 (Some n) =>
      if has LInf fs then if existsb (is_long_of n) fs then Some (Measured L1 :: lengths fs, Times (Zpos n # 1)) else None else None
  | Metrics LInf L2 (Some n) =>
      if has LInf fs then if existsb (is_long_of n) fs then Some (Measured L2 :: lengths fs, Square (Zpos n # 1)) else None else None
  | Metrics L1 L2 _ => if has L1 fs then Some (Measured L2 :: lengths fs, Square 1) else None
  | Metrics L1 LInf _ => if has L1 fs then once LInf (lengths fs) else None
  | Metrics L1 Range _ => if has L1 fs then once Range (lengths fs) else None
  | Metrics L2 LInf _ => if has L2 fs then Some (Measured LInf :: lengths fs, Root 1) else None
  | Metrics LInf Range _ => if has LInf fs then Some (Measured Range :: lengths fs, twice) else None
  | FromGranularity n =>
      if existsb (is_granularity_of n) fs then Some (Measured Symmetric :: of_rows fs ++ sizes fs, Times (Zpos n # 1)) else None
  | ClaimedTransformation _ _ source output target promised =>
      if has source fs && forallb (fun p => Qle_bool 0 (snd p)) promised
      then Some (Measured target :: facts_of output, Table promised) else None
  | Metrics Edge Node _ => if has Edge fs then once Node (nodes fs) else None
  | Metrics Node Edge (Some n) =>
      if has Node fs then if existsb (is_nodes_of n) fs then Some (Measured Edge :: nodes fs, Times (most_edges n)) else None else None
  | EdgeCount Edge _ => if has Edge fs then once Absolute [] else None
  | EdgeCount Node k => if has Node fs then Some ([Measured Absolute], Times (Zpos k # 1)) else None
  | DegreeHistogram Edge k => if has Edge fs then Some ([Measured L1; Long (Pos.succ k)], Times (4 # 1)) else None
  | DegreeHistogram Node k => if has Node fs then Some ([Measured L1; Long (Pos.succ k)], Times (Zpos (4 * k) # 1)) else None
  | Triangles n =>
      if has Edge fs then
        if existsb (is_nodes_of n) fs then if Pos.leb 2 n then Some ([Measured Absolute], Times (third_nodes n)) else None else None
      else None
  | Metrics Range LInf _ => if has Range fs then once LInf (lengths fs) else None
  | _ => None
  end.

Fixpoint far (n : node) (fs : list fact) : option (list fact * list dmap) :=
  match n with
  | Tree Chain ps =>
      (fix go ps fs := match ps with
       | [] => Some (fs, [])
       | p :: ps => match far p fs with
                    | Some (fs, f) => match go ps fs with Some (gs, g) => Some (gs, f ++ g) | None => None end
                    | None => None end
       end) ps fs
  | Tree r [] => match far_rule r fs with Some (gs, f) => Some (gs, [f]) | None => None end
  | _ => None
  end.
