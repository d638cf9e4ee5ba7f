(** * What data can be, followed through the tree

    This only refuses: the meaning of a rule holds its bounds by itself. It is what makes the verdict the same as that of
    check_certificate.py: bounds that are not those of the data are a mistake, though not a breach. *)
From Coq Require Import String List ZArith QArith Qround Qabs Bool Ascii DecimalString.
From DPchecker Require Import Json Language Ordered Named Alike Meaning Numbers Decode.
Import ListNotations.
Open Scope string_scope.
Set Implicit Arguments.

(** ** Numbers with infinities *)
Inductive ext := NegInf | Fin (q : Q) | PosInf.
Definition low_of (q : option Q) : ext := match q with Some q => Fin q | None => NegInf end.
Definition high_of (q : option Q) : ext := match q with Some q => Fin q | None => PosInf end.
Definition ext_le (a b : ext) : bool :=
  match a, b with NegInf, _ | _, PosInf => true | Fin a, Fin b => Qle_bool a b | _, _ => false end.
Definition ext_min (a b : ext) := if ext_le a b then a else b.
Definition ext_max (a b : ext) := if ext_le a b then b else a.
Definition ext_neg (a : ext) := match a with NegInf => PosInf | PosInf => NegInf | Fin q => Fin (Qred (- q)) end.
Definition ext_add (a b : ext) := match a, b with Fin a, Fin b => Fin (Qred (a + b)) | Fin _, b => b | a, _ => a end.
Definition sign (a : ext) : Z := match a with NegInf => -1 | PosInf => 1 | Fin q => Z.sgn (Qnum q) end.
Definition ext_mul (a b : ext) :=
  match a, b with
  | Fin a, Fin b => Fin (Qred (a * b))
  | a, b => match (sign a * sign b)%Z with Z0 => Fin 0 | Zpos _ => PosInf | Zneg _ => NegInf end
  end.
Definition fin (a : ext) : option Q := match a with Fin q => Some q | _ => None end.
Definition made (low high : ext) (step : option Q) : option domain :=
  match low, high with PosInf, _ | _, NegInf => None | _, _ => number_domain (fin low) (fin high) step end.

(** The coarsest grid that holds both. *)
Definition grid_of (x y : option Q) : option Q :=
  match x, y with
  | Some x, Some y => Some (Qred (Z.gcd (Qnum x * Zpos (Qden y)) (Qnum y * Zpos (Qden x)) # (Qden x * Qden y)))
  | _, _ => None
  end.

Definition zero_q (q : Q) : bool := Z.eqb (Qnum q) 0.
Definition constant_in (d : domain) : option Q :=
  match d with DNumber (Some l) (Some h) _ => if Qeq_bool l h then Some l else None | _ => None end.
Definition step_in (d : domain) : option Q := match d with DNumber _ _ s => s | _ => None end.

Definition rounded_half_even (q : Q) : Z :=
  let f := Qfloor (q + (1 # 2)) in if Qeq_bool (inject_Z f) (q + (1 # 2)) && Z.odd f then (f - 1)%Z else f.

Definition arithmetic (op : string) (l : list domain) : option domain :=
  match l with
  | [DNumber a b s; DNumber c d t] =>
      if String.eqb op "add" then made (ext_add (low_of a) (low_of c)) (ext_add (high_of b) (high_of d)) (grid_of s t) else
      if String.eqb op "subtract" then
        made (ext_add (low_of a) (ext_neg (high_of d))) (ext_add (high_of b) (ext_neg (low_of c))) (grid_of s t) else
      if String.eqb op "multiply" then
        let ends := [ext_mul (low_of a) (low_of c); ext_mul (low_of a) (high_of d); ext_mul (high_of b) (low_of c); ext_mul (high_of b) (high_of d)] in
        let unit x s := match constant_in x with Some q => Some (Qabs q) | None => s end in
        let p := unit (DNumber a b s) s in let q := unit (DNumber c d t) t in
        let is_zero o := match o with Some q => zero_q q | None => false end in
        let step := if is_zero p || is_zero q then Some 1%Q else match p, q with Some p, Some q => Some (Qred (p * q)) | _, _ => None end in
        made (fold_right ext_min PosInf ends) (fold_right ext_max NegInf ends) step else
      if String.eqb op "round" then
        match constant_in (DNumber c d t) with
        | Some g => if Qle_bool g 0 then None else
            let r q := match q with Some q => Some (Qred (inject_Z (rounded_half_even (q / g)) * g)) | None => None end in
            number_domain (r a) (r b) (Some g)
        | None => None
        end
      else None
  | [DNumber a b s] => if String.eqb op "negate" then made (ext_neg (high_of b)) (ext_neg (low_of a)) s else None
  | [DNumber a b s; l; h] =>
      if String.eqb op "clip" then
        match constant_in l, constant_in h with
        | Some low, Some high =>
            if Qle_bool low high then
              let below := negb (ext_le (Fin low) (low_of a)) && negb (zero_q low) in
              let step := if below then grid_of s (Some (Qabs low)) else s in
              let above := negb (ext_le (high_of b) (Fin high)) && negb (zero_q high) in
              let step := if above then grid_of step (Some (Qabs high)) else step in
              made (ext_min (ext_max (low_of a) (Fin low)) (Fin high)) (ext_max (ext_min (high_of b) (Fin high)) (Fin low)) step
            else None
        | _, _ => None
        end
      else None
  | _ => None
  end.

(** An entry of a vector, and each entry rounded *)
Definition on_vector (op : string) (l : list domain) : option domain :=
  match l with
  | [DVector d size _ _; DNumber a b s] =>
      if String.eqb op "entry" then
        match constant_in (DNumber a b s) with
        | Some q => if is_whole q && Qle_bool 0 q && negb (Qle_bool (inject_Z (Zpos size)) q) then Some d else None
        | None => None
        end
      else if String.eqb op "round" then
        match d with DNumber _ _ _ => let* e := arithmetic op [d; DNumber a b s] in Some (DVector e size None None) | _ => None end
      else None
  | _ => None
  end.

(** ** Row expressions *)
Definition arithmetics := ["add"; "clip"; "subtract"; "round"; "negate"; "multiply"].
Definition truths := ["lt"; "le"; "gt"; "ge"; "equals"; "differs"; "isin"; "between"; "and"; "or"; "xor"; "not"; "starts_with"; "contains"; "is_null"].
Definition other_operations := ["divide"; "floor_divide"; "modulo"; "abs"; "minimum"; "maximum"; "when"; "fill_null"; "lower"; "upper"; "strip";
  "length"; "year"; "month"; "day"; "weekday"; "days_since"; "vector"].

Definition fields_in (d : domain) : list (string * domain) := match d with DFields fs => fs | _ => [] end.
Definition is_unknown (d : domain) : bool := match d with DUnknown => true | _ => false end.
Definition is_optional (d : domain) : bool := match d with DOptional _ => true | _ => false end.

Definition is_null (c : constant) : bool := match c with CNull => true | _ => false end.

(** *** Categories that are numbers, as numbers; of whole ones the step is 1 *)
Definition number_in (c : constant) : option Q := match c with CNumber q => Some q | _ => None end.
Definition least_grid (qs : list Q) : option Q :=
  if forallb is_whole qs then Some 1%Q
  else match map (fun q => Some (Qabs q)) qs with [] => None | s :: ss => fold_left grid_of ss s end.
Definition has_null (d : domain) : bool := match d with DCategories vs => existsb is_null vs | _ => false end.
Definition as_numbers (d : domain) : domain :=
  match d with
  | DCategories vs =>
      match all_of number_in (filter (fun c => negb (is_null c)) vs) with
      | Some (q :: qs) =>
          match number_domain (fin (fold_right ext_min (Fin q) (map Fin qs))) (fin (fold_right ext_max (Fin q) (map Fin qs))) (least_grid (q :: qs)) with
          | Some n => n | None => d end
      | _ => d
      end
  | _ => d
  end.

(** *** Case, and blanks at both ends: of ASCII, as not everybody has one table of the rest *)
Definition plainly (s : string) : bool := forallb (fun c => N.ltb (N_of_ascii c) 128) (list_ascii_of_string s).
Definition plain_constant (c : constant) : bool := match c with CText s => plainly s | _ => true end.
Definition plain_domain (d : domain) : bool := match present d with DCategories vs => forallb plain_constant vs | _ => true end.
Definition shifted (first last : N) (up : bool) (c : ascii) : ascii :=
  let n := N_of_ascii c in if N.leb first n && N.leb n last then ascii_of_N (if up then n - 32 else n + 32) else c.
Definition each_letter (f : ascii -> ascii) (s : string) : string := string_of_list_ascii (rev' (fold_left (fun before c => f c :: before) (list_ascii_of_string s) [])).
Definition blank (c : ascii) : bool := let n := N_of_ascii c in (N.leb 9 n && N.leb n 13) || (N.leb 28 n && N.leb n 32).
Fixpoint left_stripped (l : list ascii) : list ascii := match l with [] => [] | c :: t => if blank c then left_stripped t else l end.
Definition stripped_text (s : string) : string :=
  string_of_list_ascii (rev' (left_stripped (rev' (left_stripped (list_ascii_of_string s))))).
Definition cased_operations := ["lower"; "upper"; "strip"].
Definition cased_text (op s : string) : string :=
  if String.eqb op "lower" then each_letter (shifted 65 90 false) s
  else if String.eqb op "upper" then each_letter (shifted 97 122 true) s
  else stripped_text s.
Definition is_text (c : constant) : bool := match c with CText _ => true | _ => false end.
Definition cased (op : string) (inner : list domain) : domain :=
  match inner with
  | [DCategories vs] =>
      let texts := filter is_text vs in let others := filter (fun c => negb (is_text c)) vs in
      let found := DCategories (map (fun c => match c with CText s => CText (cased_text op s) | c => c end) texts) in
      if match texts with [] => false | _ => forallb plain_constant texts && forallb is_null others end
      then match others with [] => found | _ => DOptional found end
      else DText
  | _ => DText
  end.

(** A row that expressions are about: its domain, and its fields by name, in a tree where many are asked for. *)
Definition looked_at : Type := domain * named domain.
Fixpoint fields_asked (e : expr) (n : Z) : Z :=
  match e with
  | EField _ _ => (n + 1)%Z
  | EOperation _ l => (fix go l n := match l with [] => n | e :: l => go l (fields_asked e n) end) l n
  | _ => n
  end.
Definition seen (es : list expr) (row : domain) : looked_at :=
  (row, asked_of (fold_left (fun n e => fields_asked e n) es 0%Z) (fields_in row)).

(** A domain of what the expression gives; [DUnknown] where an operation is not followed; nothing where it makes no sense. *)
Fixpoint values (row : looked_at) (e : expr) : option domain :=
  match e with
  | EConstant (CNumber q) => number_domain (Some q) (Some q) (Some (if is_whole q then 1%Q else Qabs q))
  | EConstant (CTruth _) => Some DBooleans
  | EConstant c => Some (DCategories [c])
  | ERow _ => Some (fst row)
  | EField n _ => by_name n (snd row)
  | EOperation op l =>
      let* operands := all_of (values row) l in
      let inner := map present operands in
      if member op cased_operations then Some (cased op inner)
      else if member op other_operations then Some DUnknown
      else if member op arithmetics && existsb is_unknown inner then Some DUnknown
      else if String.eqb op "entry" && existsb is_unknown inner then Some DUnknown
      else
        let* found := (if member op truths then Some DBooleans else
                       match on_vector op inner with
                       | Some d => Some d
                       | None => if member op arithmetics then arithmetic op (map as_numbers inner) else None
                       end) in
        let missing := existsb is_optional operands || member op arithmetics && existsb has_null inner in
        Some (if missing && negb (String.eqb op "is_null") then DOptional (present found) else found)
  end.

(** Days, written so that the order of texts is theirs; the empty text is no bound. *)
Definition no_earlier (a b : string) : bool := String.eqb a "" || negb (String.ltb b a).
Definition no_later (a b : string) : bool := String.eqb b "" || (negb (String.eqb a "") && negb (String.ltb b a)).
Definition days_within (first last : string) (found : domain) : bool :=
  match found with
  | DDate f l => no_earlier first f && no_later l last
  | DCategories ((_ :: _) as vs) => forallb (fun c => match c with CDate s => no_earlier first s && no_later s last | _ => false end) vs
  | _ => false
  end.

(** Whether what rules read off the declared domain is true of the other. *)
Definition some_of (d : domain) : domain :=
  match present d with
  | DCategories vs => DCategories (filter (fun v => match v with CNull => false | _ => true end) vs)
  | d => d
  end.
Definition only_null (d : domain) : bool :=
  match d, some_of d with DCategories (_ :: _), DCategories [] => true | _, _ => false end.
Fixpoint declared_holds (declared found : domain) : bool :=
  match declared with
  | DOptional d => only_null found || declared_holds d (some_of found)
  | _ =>
      match declared, found with
      | DNumber l h s, DNumber l' h' s' =>
          (match s with None => true | Some s => match s' with Some t => is_whole (Qred (t / s)) | None => false end end)
          && ext_le (low_of l) (low_of l') && ext_le (high_of h') (high_of h)
      | DVector d n None _, DVector e m _ _ => Pos.eqb n m && declared_holds d e
      | DCategories vs, DCategories ws => all_among ws vs
      | DDate first last, found => days_within first last found
      | DText, DCategories ws => forallb (fun w => match w with CText _ => true | _ => false end) ws
      | _, _ => domain_eqb declared found
      end
  end.

(** ** Metrics *)
Fixpoint words (m : metric) : string :=
  match m with
  | Symmetric => "one row more or one row less"
  | Node => "all edges of one node drawn anew"
  | ChangeOne => "one row replaced by another; the number of rows is public"
  | Person who => "all rows of one person (" ++ who ++ ") added or removed"
  | Discrete => "another value"
  | Absolute => "a number that differs by 1"
  | L1 => "a vector that differs by 1 in L1"
  | L2 => "a vector that differs by 1 in L2"
  | LInf => "a vector that differs by 1 in LInf"
  | Range => "scores that all rise, or all fall, by at most 1"
  | Part w => words w ++ ", in any of the parts"
  | Edge => "one edge more or one edge less"
  | Granularity name _ _ | PathGranularity name _ _ => "one step of " ++ name
  | Moved => ""
  end.

Definition measured_by (m : metric) (d : domain) : bool :=
  match m, d with
  | (Symmetric | ChangeOne), DRows _ _ => true
  | Person who, DRows e _ => member who (map fst (fields_in e))
  | Part (Symmetric | ChangeOne), DParts _ _ => true
  | (Edge | Node), DGraphs _ => true
  | Discrete, (DRows _ _ | DParts _ _) => false
  | Discrete, _ => true
  | Granularity _ _ _, _ | PathGranularity _ _ _, _ => true
  | Absolute, DNumber _ _ _ => true
  | (L1 | L2 | LInf | Range), DVector (DNumber _ _ _) _ _ _ => true
  | _, _ => false
  end.

Definition counts_steps (m : metric) : bool :=
  match m with Symmetric | ChangeOne | Person _ | Discrete | Part _ | Edge | Node | PathGranularity _ _ _ => true | _ => false end.

(** ** Spaces, and what is relied on *)
Definition notes := list string.
(** An expression as Python's json.dumps writes it, keys in order, everything beyond ASCII escaped. *)
Definition hex_digit (n : N) : ascii := ascii_of_N (if N.ltb n 10 then 48 + n else 87 + n).
Definition hex4 (n : N) : string :=
  "\u" ++ String (hex_digit (N.modulo (N.div n 4096) 16)) (String (hex_digit (N.modulo (N.div n 256) 16))
          (String (hex_digit (N.modulo (N.div n 16) 16)) (String (hex_digit (N.modulo n 16)) ""))).
Definition code_point (n : N) : string :=
  if N.ltb n 65536 then hex4 n
  else hex4 (55296 + N.div (n - 65536) 1024) ++ hex4 (56320 + N.modulo (n - 65536) 1024).
(** [more] bytes of UTF-8 are still to come of the character [n]. What was written [before] is carried along, so that
    a long text takes no deep stack. *)
Fixpoint escaped_from (more : nat) (n : N) (l : list ascii) (before : list string) : list string :=
  match l with
  | [] => rev' before
  | c :: l =>
      let k := N_of_ascii c in
      match more with
      | S O => escaped_from 0 0 l (code_point (n * 64 + N.modulo k 64) :: before)
      | S m => escaped_from m (n * 64 + N.modulo k 64) l before
      | O =>
          if N.eqb k 34 then escaped_from 0 0 l ("\""" :: before)
          else if N.eqb k 92 then escaped_from 0 0 l ("\\" :: before)
          else if N.eqb k 10 then escaped_from 0 0 l ("\n" :: before)
          else if N.eqb k 13 then escaped_from 0 0 l ("\r" :: before)
          else if N.eqb k 9 then escaped_from 0 0 l ("\t" :: before)
          else if N.eqb k 8 then escaped_from 0 0 l ("\b" :: before)
          else if N.eqb k 12 then escaped_from 0 0 l ("\f" :: before)
          else if N.ltb k 32 || N.eqb k 127 then escaped_from 0 0 l (hex4 k :: before)
          else if N.ltb k 128 then escaped_from 0 0 l (String c "" :: before)
          else if N.ltb k 224 then escaped_from 1 (N.modulo k 32) l before
          else if N.ltb k 240 then escaped_from 2 (N.modulo k 16) l before
          else escaped_from 3 (N.modulo k 8) l before
      end
  end.
Definition dumped_text (s : string) : string := """" ++ String.concat "" (escaped_from 0 0 (list_ascii_of_string s) []) ++ """".
Definition dumped_number (q : Q) : string :=
  let whole z := NilZero.string_of_int (Z.to_int z) in
  if is_whole q then whole (Qnum q) else whole (Qnum q) ++ "/" ++ whole (Zpos (Qden q)).
Definition dumped_constant (c : constant) : string :=
  let written op v := "{""op"": """ ++ op ++ """, ""value"": " ++ v ++ "}" in
  match c with
  | CNull => written "null" "null"
  | CTruth b => written "truth" (if b then "true" else "false")
  | CText s => written "text" (dumped_text s)
  | CNumber q => written "number" (dumped_text (dumped_number q))
  | CDate s => written "date" (dumped_text s)
  end.
Definition dumped_type (t : option string) : string := match t with Some t => ", ""type"": " ++ dumped_text t | None => "" end.
Fixpoint dumped (e : expr) : string :=
  match e with
  | EConstant c => dumped_constant c
  | ERow t => "{""op"": ""row""" ++ dumped_type t ++ "}"
  | EField n t => "{""name"": " ++ dumped_text n ++ ", ""op"": ""field""" ++ dumped_type t ++ "}"
  | EOperation op l => "{""of"": [" ++ String.concat ", " (map dumped l) ++ "], ""op"": " ++ dumped_text op ++ "}"
  end.
Definition stays (e : expr) : string := "its values stay in the domain declared for them: " ++ dumped e.

(** Checked against a row domain: notes, or nothing where it makes no sense. *)
Definition look (row : domain) (s : spoken) : option unit :=
  match s with Function _ => Some tt | Expression e => let* _ := values (seen [e] row) e in Some tt | Fields _ => None end.
Definition follow (row : looked_at) (e : expr) (declared : domain) : option notes :=
  let* found := values row e in
  let is_cased := match e with EOperation op _ => member op cased_operations | _ => false end in
  if is_unknown found || is_cased && negb (plain_domain declared) then Some [stays e] else let* _ := guard (declared_holds declared found) in Some [].

(** What fills up: a constant that lies in the domain of a row, or one for each of its fields. *)
Definition fills_with (row : looked_at) (e : expr) (declared : domain) : option unit :=
  match e with EConstant _ => let* _ := follow row e declared in Some tt | _ => None end.
Definition fills (row : domain) (s : spoken) : option unit :=
  match s, row with
  | Expression e, _ => fills_with (seen [e] row) e row
  | Fields fs, DFields declared =>
      let* _ := guard (Nat.eqb (length fs) (length declared)) in
      let row := seen (map snd fs) row in let fs := asked_of (Zlength fs) fs in
      let* _ := all_of (fun p => let* e := by_name (fst p) fs in fills_with row e (snd p)) declared in Some tt
  | _, _ => None
  end.

Fixpoint concat_all (l : list (option notes)) : option notes :=
  match l with [] => Some [] | x :: l => let* a := x in let* b := concat_all l in Some (a ++ b)%list end.

Definition shown (f : func) : string := name_of f ++ " (" ++ substring 0 16 (digest_of f) ++ ")".
Definition from_name (m : from) : string := match m with FromSymmetric => "symmetric" | FromChangeOne => "change_one" | FromPerson => "person" | _ => "filtered" end.
Definition spoken_note (rule : string) (s : spoken) : notes := match s with Function f => [rule ++ ": " ++ shown f] | _ => [] end.

Definition rows_of (d : domain) : option domain := match d with DRows e _ => Some e | _ => None end.
Definition unsized (d : domain) : domain := match d with DRows e _ => DRows e None | DGraphs _ => DUnknown | d => d end.
Definition size_of (d : domain) : option positive := match d with DRows _ n => n | DVector _ n _ _ => Some n | DGraphs n => Some n | _ => None end.
Definition with_rows (d : domain) (e : domain) : domain := match d with DRows _ n => DRows e n | d => d end.
Definition vector_of (n : positive) (low high : option Q) : domain := DVector (DNumber low high (Some 1%Q)) n None None.

Definition histogram_name (m : from) (n : norm) : string :=
  match m, n with
  | FromSymmetric, N2 => "histogram_l2_symmetric"
  | FromSymmetric, _ => "histogram_symmetric"
  | FromFiltered, N2 => "histogram_l2_filtered"
  | FromFiltered, _ => "histogram_linf_filtered"
  | FromOneBin, N2 => "histogram_one_bin_l2_change_one"
  | FromOneBin, _ => "histogram_one_bin_change_one"
  | FromOneBinFiltered, N2 => "histogram_one_bin_l2_filtered"
  | FromOneBinFiltered, _ => "histogram_one_bin_filtered"
  | _, N1 => "histogram_l1_change_one"
  | _, N2 => "histogram_l2_change_one"
  | _, NInf => "histogram_linf_change_one"
  end.

(** What the author of a function, of linear queries, of an adaptive or a general composition declares. *)
Definition listed (l : list (list Q)) : string := String.concat "; " (map (fun v => String.concat " " (map dumped_number v)) l).
Definition loss_figures (m : measure) (l : Q * Q) : list Q := match m with MApprox | MApproxZcdp => [fst l; snd l] | _ => [fst l] end.
Definition figures_at (m : measure) (p : Q * (Q * Q)) : list Q := if curved m then [fst p; fst (snd p)] else loss_figures m (snd p).
Definition claimed_notes (rule : string) (f map_ : func) (source : metric) (of : string) (promised : list (list Q)) : notes :=
  [rule ++ ": " ++ shown f;
   rule ++ ": " ++ shown f ++ " by " ++ shown map_ ++ ": between data d apart (1 apart is: " ++ words source ++ ") " ++ of
     ++ " is 0 at d = 0, also to rows in another order, else at most (d, figures; L2 and mu as squares): " ++ listed promised].
Definition stays_in : string := ", whose values stay in the domain declared".
Definition granularity_note (n : positive) : string :=
  "data d apart in the user's metric differ by at most " ++ dumped_number (Zpos n # 1) ++ " d rows, for every d".
Definition few_for (column : Q) (queries : list expr) : bool := Qlt_bool column (inject_Z (Z.of_nat (length queries))).
Definition answers_moved (m : from) (column : Q) : string :=
  match m with FromChangeOne => "one row replaced by another" | _ => words Symmetric end
  ++ " moves the answers to its linear queries by at most " ++ dumped_number column ++ " in all".
Definition measure_name (m : measure) : string :=
  match m with
  | MPure => "pure" | MApprox => "approx" | MZcdp => "zcdp" | MTotalVariation => "total_variation"
  | MGaussian => "gaussian" | MRenyi => "renyi" | MProfile => "profile" | MTradeoff => "tradeoff" | MApproxZcdp => "approximate_zcdp"
  end.
Definition transformation_notes (f map_ : func) (source target : metric) (promised : list (Q * Q)) : notes :=
  claimed_notes "claimed_transformation" f map_ source ("how far apart (" ++ words target ++ ") its values are, all in the domain declared,")
    (map (fun p => [fst p; snd p]) promised).
Definition measurement_notes (f map_ : func) (source : metric) (m : measure) (promised : list (Q * (Q * (Q * Q)))) : notes :=
  claimed_notes "claimed_measurement" f map_ source ("the loss in " ++ measure_name m) (map (fun p => fst p :: figures_at m (snd p)) promised).
Definition stages_note (m : measure) (losses : list (Q * Q)) (source : metric) : string :=
  "no stage sees the order of rows, and between data 1 apart (" ++ words source ++ ") the stages cost at most, however they choose"
  ++ (match m with MGaussian => " (mu as squares)" | _ => "" end) ++ ": " ++ listed (map (loss_figures m) losses).
Definition budget_in_words (m : measure) (budget more : Q) : string :=
  (match m with MGaussian => " (mu as squares)" | _ => "" end) ++ ": " ++ listed [loss_figures m (budget, more)].
Definition orders_in_words (points : list (Q * Q)) : string := " (order, epsilon): " ++ listed (map (fun p => [fst p; snd p]) points).
Definition charged_note (budget : string) (source : metric) : string :=
  "each question is charged at least what it loses between data 1 apart (" ++ words source
  ++ "), sees no order of rows, and is answered only while all charges (of parts, the dearest) come to at most" ++ budget.
Definition asked_note (m : measure) (budget more : Q) (source : metric) : string := charged_note (budget_in_words m budget more) source.
Definition compared_note (source : metric) : string :=
  "between data 1 apart (" ++ words source ++ ") each query moves by at most 1, none sees the order of rows, "
  ++ "and after so many answers above as it may give, none is answered".
Definition joint_note (joint : list (list Q)) (source : metric) : string :=
  "between data 1 apart (" ++ words source ++ ") what the parts are given differs by at most one of (L2 as squares): " ++ listed joint.

(** The step of the answers to a query, which lie between 0 and 1 or are taken to. *)
Definition answer_of (row : looked_at) (e : expr) : option (option Q * notes) :=
  let* found := values row e in
  match found with
  | DUnknown => Some (None, [stays e])
  | DBooleans => Some (Some 1%Q, [])
  | _ => let* _ := guard (declared_holds (DNumber (Some 0%Q) (Some 1%Q) None) found) in Some (step_in found, [])
  end.

(** What comes out of a transformation, with what was relied on. *)
Definition out_rule (r : rule) (d : domain) : option (domain * notes) :=
  let* row := (match d with DRows e _ => Some e | DVector e _ _ _ => Some e | _ => Some DUnknown end) in
  match r with
  | RowMap to output =>
      let* n := (match to with
        | Expression e => follow (seen [e] row) e output
        | Fields fs =>
            let* _ := guard (Nat.eqb (length fs) (length (fields_in output)) && all_named fs (asked_of (Zlength fs) (fields_in output))) in
            let row := seen (map snd fs) row in let fs := asked_of (Zlength fs) fs in
            concat_all (map (fun p => let* e := by_name (fst p) fs in follow row e (snd p)) (fields_in output))
        | Function f => Some ["row_map: " ++ shown f ++ stays_in] end) in
      Some (with_rows d output, n)
  | Filter m c => let* _ := look row c in Some (unsized d, spoken_note ("filter_" ++ from_name m) c)
  | DropNulls _ names => Some (unsized (with_rows d (nulls_dropped names row)), [])
  | FlatMap f output _ => Some (DRows output None, ["flat_map_symmetric: " ++ shown f ++ stays_in])
  | BoundContributions (FirstBy e) _ _ => let* _ := values (seen [e] row) e in Some (unsized d, [])
  | BoundContributions _ _ _ => Some (unsized d, [])
  | Resize n fill => let* _ := fills row fill in Some (DRows row (Some n), [])
  | ClipNorm b n output =>
      match row with
      | DVector (DNumber l h (Some g)) size _ _ =>
          let* e := made (ext_min (Fin 0) (low_of l)) (ext_max (Fin 0) (high_of h)) (Some g) in
          let* _ := guard (domain_eqb output (DVector e size (Some n) (Some b))) in Some (with_rows d output, [])
      | _ => None
      end
  | Count _ => Some (DNumber (Some 0%Q) None (Some 1%Q), [])
  | Sum _ low high =>
      match row with
      | DNumber (Some l) (Some h) (Some g) => let* _ := guard (Qle_bool low l && Qle_bool h high) in Some (DNumber None None (Some g), [])
      | _ => None
      end
  | VectorSum _ _ _ size =>
      match row with
      | DVector (DNumber _ _ (Some g)) n _ _ => let* _ := guard (Pos.eqb n size) in Some (DVector (DNumber None None (Some g)) size None None, [])
      | _ => None
      end
  | LinearQueries m queries column =>
      let* answers := all_of (answer_of (seen queries row)) queries in
      let* step := match map fst answers with [] => None | s :: ss => Some (fold_left grid_of ss s) end in
      Some (DVector (DNumber (Some 0%Q) None step) (Pos.of_nat (length queries)) None None,
            (flat_map snd answers ++ (if few_for column queries then [answers_moved m column] else []))%list)
  | UnitQueries m queries =>
      let* answers := all_of (answer_of (seen queries row)) queries in
      let* step := match map fst answers with [] => None | s :: ss => Some (fold_left grid_of ss s) end in
      Some (DVector (DNumber (Some 0%Q) None step) (Pos.of_nat (length queries)) None None, flat_map snd answers)
  | AbsoluteErrors guess =>
      match d with
      | DVector (DNumber _ _ (Some g)) n _ _ =>
          let* _ := guard (Pos.eqb n (Pos.of_nat (length guess)) && forallb (fun c => is_whole (Qred (c / g))) guess) in
          Some (DVector (DNumber (Some 0%Q) None (Some g)) n None None, [])
      | DNumber _ _ (Some g) =>
          match guess with
          | [c] => let* _ := guard (is_whole (Qred (c / g))) in Some (DNumber (Some 0%Q) None (Some g), [])
          | _ => None
          end
      | _ => None
      end
  | Histogram m n b bins => let* _ := look row b in Some (vector_of (Pos.of_nat (length bins)) (Some 0%Q) None, spoken_note (histogram_name m n) b)
  | MarginalErrors queries guesses =>
      let* _ := guard (Nat.eqb (length queries) (length guesses)) in
      let* _ := all_of (values (seen queries row)) queries in Some (vector_of (Pos.of_nat (length queries)) (Some 0%Q) None, [])
  | QuantileScores _ candidates a b =>
      match row with
      | DNumber _ _ _ => let* _ := guard (Z.leb a b) in Some (vector_of (Pos.of_nat (length candidates)) None (Some 0%Q), [])
      | _ => None
      end
  | Partition m b keys => let* _ := look row b in Some (DParts row keys, spoken_note ("partition_" ++ from_name m) b)
  | EdgeCount _ _ => Some (DNumber (Some 0%Q) None (Some 1%Q), [])
  | DegreeHistogram _ k => Some (vector_of (Pos.succ k) (Some 0%Q) None, [])
  | Triangles n => let* k := size_of d in let* _ := guard (Pos.eqb n k) in Some (DNumber (Some 0%Q) None (Some 1%Q), [])
  | FromGranularity n => let* _ := rows_of d in Some (d, [granularity_note n])
  | ClaimedTransformation f map_ source output target promised =>
      let* _ := guard (measured_by target output) in
      Some (output, transformation_notes f map_ source target promised)
  | Metrics Symmetric ChangeOne _ => let* _ := size_of d in Some (d, [])
  | Metrics _ _ (Some n) => let* k := size_of d in let* _ := guard (Pos.eqb n k) in Some (d, [])
  | Metrics _ _ None => Some (d, [])
  | _ => None
  end.

(** Whether a measurement can stand on it. *)
Definition on_grid (d : domain) (h : Q) : option unit :=
  let of := match d with DVector e _ _ _ => e | d => d end in
  match of with DNumber _ _ (Some g) => guard (is_whole (Qred (g / h))) | _ => None end.
Definition answers_all (answers : list constant) (k : positive) (d : domain) : option unit :=
  let* of := (match d with DBooleans => Some [CTruth false; CTruth true] | DCategories v => Some v | _ => None end) in
  let* _ := guard (all_among of answers) in
  guard (Pos.eqb (Pos.of_nat (length answers)) k && Nat.leb 2 (length answers)).
Definition end_rule (r : rule) (d : domain) : option notes :=
  match r with
  | Laplace _ h | Gaussian _ _ h | GaussianProfile _ h | Spread _ _ h => let* _ := on_grid d h in Some []
  | PermuteAndFlip _ _ | Exponential _ _ | ExponentialPure _ _ | NameAndShame _ => Some []
  | ClaimedMeasurement f map_ source m promised =>
      Some (measurement_notes f map_ source m promised)
  | AboveThreshold _ _ _ _ _ => let* _ := on_grid d 1 in Some []
  | Comparing _ _ _ _ source => Some [compared_note source]
  | Adaptive m losses choices source =>
      Some (stages_note m losses source :: map (fun f => "adaptive_" ++ measure_name m ++ ": " ++ shown f) choices)
  | ThresholdRelease b _ _ => let* row := rows_of d in let* _ := look row b in Some (spoken_note "threshold_release" b)
  | RandomRow n => let* k := size_of d in let* _ := guard (Pos.eqb n k) in Some []
  | RandomizedResponse answers k p =>
      let* _ := answers_all answers k d in let* _ := guard (Qle_bool 1 (p * (Zpos k # 1))) in Some []
  | UnaryEncoding answers k p q => let* _ := answers_all answers k d in let* _ := guard (Qlt_bool q p) in Some []
  | HadamardResponse answers k p => let* _ := answers_all answers k d in let* _ := guard (Qle_bool 1 (p * 2)) in Some []
  | _ => None
  end.

Definition is_change_one (m : metric) : bool := match m with ChangeOne => true | _ => false end.
Definition metric_after (r : rule) (m : metric) : metric :=
  match r with
  | Filter FromChangeOne _ | DropNulls FromChangeOne _ | BoundContributions _ _ _ => Symmetric
  | Resize _ _ => ChangeOne
  | Partition FromChangeOne _ _ => Part ChangeOne
  | Partition _ _ _ => Part Symmetric
  | Metrics _ b _ | ClaimedTransformation _ _ _ _ b _ => b
  | FromGranularity _ => Symmetric
  | _ => m
  end.

(** Through the tree: where the outputs lie (of a transformation), by which metric of rows, and what was relied on. *)
Fixpoint fits (n : node) (d : domain) (m : metric) : option (option (domain * metric) * notes) :=
  let here := match n with Tree r _ => if match r with
    | RowMap _ _ | Filter _ _ | DropNulls _ _ | FlatMap _ _ _ | BoundContributions _ _ _ | Resize _ _ | ClipNorm _ _ _ | Count _ | Sum _ _ _ | VectorSum _ _ _ _
    | Histogram _ _ _ _ | LinearQueries _ _ _ | UnitQueries _ _ | AbsoluteErrors _ | MarginalErrors _ _ | QuantileScores _ _ _ _ | Partition _ _ _ | Metrics _ _ _
    | FromGranularity _ | EdgeCount _ _ | DegreeHistogram _ _ | Triangles _ | ClaimedTransformation _ _ _ _ _ _ => true | _ => false end
    then (let* p := out_rule r d in Some (Some (fst p, metric_after r m), snd p)) else (let* a := end_rule r d in Some (None, a)) end in
  let unsized_unless := if is_change_one m then d else unsized d in
  match n with
  | Tree Chain ps =>
      (fix go ps d m := match ps with
       | [] => Some (Some (d, m), [])
       | p :: ps =>
           let* f := fits p d m in
           match f with
           | (Some (e, k), a) => let* g := go ps e k in Some (fst g, (a ++ snd g)%list)
           | (None, a) => match ps with [] => Some (None, a) | _ => None end
           end
       end) ps d m
  | Tree (PostProcess f) [p] => let* g := fits p d m in Some (None, ("post_process: " ++ shown f) :: snd g)
  | Tree (Convert _ _ _ _ _) [p] => fits p d m
  | Tree (Group _) [p] => fits p unsized_unless m
  | Tree (Compose _) ps | Tree (Advanced _ _) ps | Tree (AdvancedOrPlain _ _) ps | Tree (Optimal _) ps | Tree (Unequal _) ps => let* a := concat_all (map (fun p => let* f := fits p d m in Some (snd f)) ps) in Some (None, a)
  | Tree (Overlapping _ e touched) ps =>
      match d with
      | DRows row _ =>
          let* _ := guard (Nat.eqb (length touched) (length ps)) in let* _ := values (seen [e] row) e in
          let* a := concat_all (map (fun p => let* f := fits p (DRows row None) Symmetric in Some (snd f)) ps) in Some (None, a)
      | _ => None end
  | Tree Locally [p] => match d with DRows e _ => let* g := fits p e Discrete in Some (None, snd g) | _ => None end
  | Tree (Shuffled n _) [p] =>
      match d with DRows e (Some k) => let* _ := guard (Pos.eqb n k) in let* g := fits p e Discrete in Some (None, snd g) | _ => None end
  | Tree (ParallelSymmetric _ keys) ps =>
      match d with
      | DParts e ks =>
          let* _ := guard (list_eqb constant_eqb keys ks) in
          let* a := concat_all (map (fun p => let* f := fits p (DRows e None) Symmetric in Some (snd f)) ps) in Some (None, a)
      | _ => None end
  | Tree (ParallelChangeOne _ keys) ps =>
      match d with
      | DParts e ks =>
          let* _ := guard (list_eqb constant_eqb keys ks) in
          let k := length keys in
          let* a := concat_all (firstn k (map (fun p => let* f := fits p (DRows e None) Symmetric in Some (snd f)) ps)) in
          let* b := concat_all (skipn k (map (fun p => let* f := fits p (DRows e None) ChangeOne in Some (snd f)) ps)) in Some (None, (a ++ b)%list)
      | _ => None end
  | Tree (ParallelAlike _) [p] =>
      match d with DParts e _ => let* f := fits p (DRows e None) Symmetric in Some (None, snd f) | _ => None end
  | Tree (ParallelAlikeChangeOne _) [p; q] =>
      match d with
      | DParts e _ => let* f := fits p (DRows e None) Symmetric in let* g := fits q (DRows e None) ChangeOne in Some (None, (snd f ++ snd g)%list)
      | _ => None end
  | Tree (Asking k budget more source) ps =>
      let* a := concat_all (map (fun p => let* f := fits p unsized_unless m in Some (snd f)) ps) in Some (None, asked_note k budget more source :: a)
  | Tree (AskingAtOrders points source) ps =>
      let* a := concat_all (map (fun p => let* f := fits p unsized_unless m in Some (snd f)) ps) in Some (None, charged_note (orders_in_words points) source :: a)
  | Tree (Jointly _ joint source) ps =>
      (fix go ps := match ps with
       | [] => Some (None, [joint_note joint source])
       | t :: p :: ps =>
           let* f := fits t unsized_unless m in
           match f with
           | (Some (e, k), a) =>
               let* f := fits p e k in let* g := go ps in match fst f with None => Some (None, (a ++ snd f ++ snd g)%list) | Some _ => None end
           | (None, _) => None
           end
       | _ => None
       end) ps
  | Tree _ [] => here
  | _ => None
  end.

(** ** What deserves attention *)

(** What deserves attention, by the rules used, in the order of their names. *)
Definition public_rows : string := "count_change_one: the number of rows is public, and no noise protects it".
Definition shamed : string := "name_and_shame: some rows are published as they are".
Definition chosen_first : string := "bound_contributions_first_by_person: which rows of a person are kept is the analyst's choice, and may bias".
Definition claimed_stable : string := "claimed_transformation: how stable it is, is the word of its author; no rule says so".
Definition claimed_private : string := "claimed_measurement: what it costs is the word of its author; no rule says so".
Definition published : string := "random_row: a row is published as it is".
Fixpoint remarks (n : node) : list string :=
  let here := match n with
    | Tree (BoundContributions (FirstBy _) _ _) _ => [chosen_first]
    | Tree (Count FromChangeOne) _ => [public_rows] | Tree (NameAndShame _) _ => [shamed] | Tree (RandomRow _) _ => [published]
    | Tree (ClaimedTransformation _ _ _ _ _ _) _ => [claimed_stable] | Tree (ClaimedMeasurement _ _ _ _ _) _ => [claimed_private] | _ => [] end in
  match n with Tree _ ps => (fix go ps := match ps with [] => here | p :: ps => (remarks p ++ go ps)%list end) ps end.

Definition no_loss : string := "the loss is 0: what is released does not depend on what is protected".

(** ** Trees that run alike, as they are written

    [Alike.v] compares what premises mean. This compares how they are written, as check_certificate.py does: numbers that come to
    the same bound after rounding to a grid are not the same text. *)
Fixpoint json_eqb (fuel : nat) (x y : json) : bool :=
  match fuel with
  | O => false
  | S fuel =>
      match x, y with
      | JNull, JNull => true
      | JBool a, JBool b => Bool.eqb a b
      | JText a, JText b => String.eqb a b
      | JList k, JList l => list_eqb (json_eqb fuel) k l
      | JObject f, JObject g =>
          Nat.eqb (length f) (length g) &&
          let g := asked_of (Zlength f) g in
          forallb (fun p => match by_name (fst p) g with Some v => json_eqb fuel (snd p) v | None => false end) f
      | _, _ => false
      end
  end.

Definition without_suffix (suffix s : string) : string :=
  let n := String.length s in let k := String.length suffix in
  if Nat.leb k n && String.eqb (substring (n - k) k s) suffix then substring 0 (n - k) s else s.
Definition plain_name (s : string) : string :=
  let cut := fold_left (fun u ending => if String.eqb u s then without_suffix ending u else u) ["_symmetric"; "_change_one"; "_filtered"] s in
  if String.eqb cut s then s else
  without_suffix "_one_bin" (fold_left (fun u norm => if String.eqb u cut then without_suffix norm u else u) ["_l1"; "_l2"; "_linf"] cut).

Definition the_field (name : string) (x : json) : json := match x with JObject fs => match get name fs with Some v => v | None => JBad end | _ => JBad end.
Definition the_list (name : string) (x : json) : list json := match the_field name x with JList l => l | _ => [] end.
Definition the_rule (x : json) : string := match the_field "rule" x with JText s => s | _ => "" end.
(** How far apart is said by these, not what is done. *)
Definition but_declared (x : json) : json :=
  match x with JObject fs => JObject (filter (fun p => negb (String.eqb (fst p) "column" || String.eqb (fst p) "source")) fs) | x => x end.

Fixpoint run_alike (fuel : nat) (x y : json) : bool :=
  match fuel with
  | O => false
  | S fuel =>
      String.eqb (plain_name (the_rule x)) (plain_name (the_rule y))
      && json_eqb depth (but_declared (the_field "parameters" x)) (but_declared (the_field "parameters" y))
      && list_eqb (run_alike fuel) (the_list "premises" x) (the_list "premises" y)
  end.

Definition written_alike (x y : json) : bool :=
  match the_list "premises" y with
  | [first; z] => if String.eqb (the_rule first) "change_one_to_symmetric" then run_alike depth x z else run_alike depth x y
  | _ => run_alike depth x y
  end.

Fixpoint parts_alike (fuel : nat) (x : json) : bool :=
  match fuel with
  | O => false
  | S fuel =>
      let ps := the_list "premises" x in
      forallb (parts_alike fuel) ps &&
      if String.eqb (substring 0 20 (the_rule x)) "parallel_change_one_"
      then let n := length (the_list "keys" (the_field "parameters" x)) in list_eqb written_alike (firstn n ps) (skipn n ps)
      else if String.eqb (substring 0 26 (the_rule x)) "parallel_alike_change_one_" then list_eqb written_alike (firstn 1 ps) (skipn 1 ps)
      else true
  end.
