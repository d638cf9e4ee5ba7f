(** * What a measurement costs

    [cost n fs d] is a bound of the loss between data of which the facts [fs] are known, at a distance of [d]; nothing where
    the tree is not one of the rules followed. [cap] says from how many bits on a sum is rounded up. *)
From Coq Require Import String List ZArith QArith Qround Bool.
From DPchecker Require Import Language Meaning Alike Numbers Exponentials Tables Distances Losses.
Import ListNotations.
Set Implicit Arguments.

Definition single (q : Q) : loss := (Qred q, 0%Q).
Definition above_0 (q : Q) : bool := Qlt_bool 0 q.

Definition is_sized_of (n : positive) (f : fact) : bool := match f with Sized k => Pos.eqb n k | _ => false end.

(** exp(-(t-1)/b)/(1 + exp(-1/b)), from above. *)
Definition tail_above (scale : Q) (t : Z) : option Q :=
  let below := exp_below (Qred (inject_Z (t - 1) / scale)) in
  if above_0 below then
    match exp_above (Qred (1 / scale)) with
    | Some above => if above_0 above then Some (/ below / (1 + / above))%Q else None
    | None => Some (/ below)%Q
    end
  else None.

(** Of two losses the one that comes first as a pair. *)
Definition lower_loss (k l : loss) : loss :=
  if Qlt_bool (fst k) (fst l) then k else if Qlt_bool (fst l) (fst k) then l else if Qle_bool (snd k) (snd l) then k else l.

Definition cost_rule (r : rule) (fs : list fact) (d : Q) : option (measure * loss) :=
  match r with
  | Laplace scale h =>
      if (has Absolute fs || has L1 fs) && above_0 scale && above_0 h then Some (MPure, single (d / scale)) else None
  | Gaussian false variance h =>
      if has Absolute fs && above_0 variance && above_0 h then Some (MZcdp, single (d * d / (inject_Z 2 * variance))) else None
  | Gaussian true variance h =>
      if has L2 fs && above_0 variance && above_0 h then Some (MZcdp, single (d / (inject_Z 2 * variance))) else None
  | RandomizedResponse answers k p =>
      if has Discrete fs && distinct answers && Pos.eqb (Pos.of_nat (length answers)) k && Nat.leb 2 (length answers)
        && Qle_bool 1 (p * (Zpos k # 1)) && Qlt_bool p 1 then
        match log_above (p * ((Zpos k # 1) - 1) / (1 - p)) with
        | Some l => Some (MPure, single ((if Qle_bool d 1 then d else 1) * Qmax0 l)) | None => None end
      else None
  | RandomRow n =>
      if has ChangeOne fs && existsb (is_sized_of n) fs then Some (MApprox, (0, Qred (d / (Zpos n # 1)))%Q) else None
  | NameAndShame delta =>
      if has ChangeOne fs && Qle_bool 0 delta && Qle_bool delta 1 then Some (MTotalVariation, single (d * delta)) else None
  | ThresholdRelease _ scale t =>
      if has Symmetric fs && above_0 scale && Z.leb 2 t then
        match tail_above scale t with
        | Some h => match lifted MApprox d (Qred (1 / scale), h) with Some l => Some (MApprox, l) | None => None end
        | None => None end
      else None
  | ClaimedMeasurement _ _ source m promised =>
      if has source fs then
        match promised_at lower_loss promised d with
        | Some l => if Qle_bool 0 (fst l) && Qle_bool 0 (snd l) then Some (m, l) else None
        | None => None end
      else None
  | PermuteAndFlip LInf scale => if has LInf fs && above_0 scale then Some (MPure, single (inject_Z 2 * d / scale)) else None
  | PermuteAndFlip Range scale => if has Range fs && above_0 scale then Some (MPure, single (d / scale)) else None
  | Exponential LInf scale =>
      if has LInf fs && above_0 scale then let e := (inject_Z 2 * d / scale)%Q in Some (MZcdp, single (e * e / inject_Z 8)) else None
  | Exponential Range scale =>
      if has Range fs && above_0 scale then let e := (d / scale)%Q in Some (MZcdp, single (e * e / inject_Z 8)) else None
  | AboveThreshold LInf _ bT bQ hits =>
      if has LInf fs && above_0 bT && above_0 bQ then Some (MPure, single (d / bT + inject_Z 2 * (Zpos hits # 1) * d / bQ)) else None
  | AboveThreshold Range _ bT bQ hits =>
      if has Range fs && above_0 bT && above_0 bQ then Some (MPure, single (d / bT + (Zpos hits # 1) * d / bQ)) else None
  | _ => None
  end.

(** (e^eps - 1)/(e^eps + 1), from above. *)
Definition half_way (e : Q) : option Q :=
  if Qeq_bool e 0 then Some 0%Q else
  if Qlt_bool 8000 e then None else match exp_above e with Some u => Some (1 - inject_Z 2 / (1 + u))%Q | None => None end.

Definition converted (source target : measure) (tight : bool) (delta alpha : option Q) (l : loss) : option loss :=
  match source, target, tight, delta, alpha with
  | MPure, MApprox, _, None, None => Some (fst l, 0%Q)
  | MPure, MZcdp, _, None, None => Some (single (fst l * fst l / inject_Z 2))
  | MTotalVariation, MApprox, _, None, None => Some (0%Q, fst l)
  | MPure, MTotalVariation, _, None, None => match half_way (fst l) with Some h => Some (single h) | None => None end
  | MApprox, MTotalVariation, _, None, None =>
      match half_way (fst l) with
      | Some h => Some (single (if Qle_bool 1 (snd l) then 1 else snd l + (1 - snd l) * h)) | None => None end
  | MZcdp, MApprox, true, Some delta, Some alpha =>
      if above_0 delta && above_0 (alpha - 1) then
        match log_above ((alpha - 1) / alpha), log_above (/ (delta * alpha)) with
        | Some a, Some b => Some (Qmax0 (fst l * alpha + a + b / (alpha - 1)), delta)
        | _, _ => None
        end
      else None
  | MZcdp, MApprox, false, Some delta, None =>
      if above_0 delta && above_0 (1 - delta) then
        match log_above (/ delta) with
        | Some b => Some ((fst l + inject_Z 2 * root_above (fst l * b))%Q, delta)
        | None => None
        end
      else None
  | _, _, _, _, _ => None
  end.

(** Losses of premises, all in one measure. *)
Definition of_measure (m : measure) (c : option (measure * loss)) : option loss :=
  match c with Some (k, l) => if measure_eqb m k then Some l else None | None => None end.
Fixpoint all_of_measure (m : measure) (cs : list (option (measure * loss))) : option (list loss) :=
  match cs with
  | [] => Some []
  | c :: cs => match of_measure m c, all_of_measure m cs with Some l, Some ls => Some (l :: ls) | _, _ => None end
  end.

(** eps (e^eps - 1)/(e^eps + 1), from above, of each. *)
Fixpoint drifts_above (ls : list loss) : option (list Q) :=
  match ls with
  | [] => Some []
  | l :: ls => match half_way (fst l), drifts_above ls with Some h, Some ds => Some ((fst l * h)%Q :: ds) | _, _ => None end
  end.

Definition takes_advanced (m : measure) : bool := match m with MPure | MApprox => true | _ => false end.
Definition advanced (md : mode) (m : measure) (slack : Q) (ls : list loss) : option loss :=
  match log_above (/ slack), drifts_above ls with
  | Some b, Some ds =>
      let squares := total md (map (fun l => fst l * fst l)%Q ls) in
      Some ((root_above (inject_Z 2 * Qmax0 b * squares) + total md ds)%Q,
            total md (slack :: match m with MApprox => map snd ls | _ => [] end))
  | _, _ => None
  end.

(** Metrics in which data at a distance of n are joined by n steps of 1. *)
Definition in_steps (m : metric) : bool :=
  match m with Symmetric | ChangeOne | Person _ | Discrete | Part Symmetric | Part ChangeOne | Edge | Node => true | _ => false end.

(** Of what a group is made: data one step apart, of any size. *)
Definition kept (m : metric) (f : fact) : bool :=
  match f, m with Of _, _ | Nodes _, _ | Sized _, ChangeOne => true | _, _ => false end.
Definition one_step (m : metric) (fs : list fact) : list fact := Measured m :: filter (kept m) fs.
Definition step_facts (fs : list fact) : option (list fact) :=
  match find (fun f => match f with Measured m => in_steps m | _ => false end) fs with Some (Measured m) => Some (one_step m fs) | _ => None end.
Definition starts_in (source : metric) (fs : list fact) : bool := if in_steps source then has source fs else false.

Definition lift_to (m : measure) (d : Q) (l : option loss) : option (measure * loss) :=
  match l with Some l => match lifted m d l with Some l => Some (m, l) | None => None end | None => None end.

Definition Qmin (a b : Q) : Q := if Qle_bool a b then a else b.
Definition nonnegs (l : list Q) : bool := forallb (Qle_bool 0) l.

(** Of each part, which is a transformation and a measurement, the losses at its entries of the vectors: no further apart than
    the transformation can move its outputs. *)
Section Parts.
Variables (cost : node -> list fact -> Q -> option (measure * loss)) (m : measure) (fs : list fact).
Fixpoint by_part (ps : list node) (joint : list (list Q)) : option (list (list loss)) :=
  match ps with
  | [] => Some []
  | [_] => None
  | t :: p :: ps =>
      match far t fs with
      | Some (gs, f) =>
          match through f 1 with
          | Some most =>
              match all_of_measure m (map (fun v => cost p gs (Qmin (hd 0%Q v) most)) joint), by_part ps (map (@tl Q) joint) with
              | Some ls, Some columns => Some (ls :: columns) | _, _ => None end
          | None => None
          end
      | None => None
      end
  end.
End Parts.

(** Of losses by parts, those of all parts for each vector. *)
Fixpoint by_vector {A} (joint : list A) (columns : list (list loss)) : list (list loss) :=
  match joint with [] => [] | _ :: joint => map (hd (0, 0)%Q) columns :: by_vector joint (map (@tl loss) columns) end.

Section Rounding.
Variable md : mode.

Fixpoint cost (n : node) (fs : list fact) (d : Q) : option (measure * loss) :=
  match n with
  | Tree Chain ps =>
      (fix go ps fs d := match ps with
       | [] => None
       | [p] => cost p fs d
       | p :: ps => match far p fs with Some (fs, f) => match through f d with Some d => go ps fs d | None => None end | None => None end
       end) ps fs d
  | Tree (PostProcess _) [p] => cost p fs d
  | Tree (Convert source target tight delta alpha) [p] =>
      match of_measure source (cost p fs d) with
      | Some l => match converted source target tight delta alpha l with Some l => Some (target, l) | None => None end
      | None => None end
  | Tree (Compose m) (p :: ps) =>
      match all_of_measure m (map (fun p => cost p fs d) (p :: ps)) with Some ls => Some (m, together md ls) | None => None end
  | Tree (Advanced m slack) (p :: ps) =>
      if takes_advanced m && above_0 slack && above_0 (1 - slack) then
        match all_of_measure m (map (fun p => cost p fs d) (p :: ps)) with
        | Some ls => match advanced md m slack ls with Some l => Some (MApprox, l) | None => None end
        | None => None
        end
      else None
  | Tree (Group m) [p] =>
      match step_facts fs with Some gs => lift_to m d (of_measure m (cost p gs 1)) | None => None end
  | Tree (ParallelSymmetric m keys) ps =>
      if has (Part Symmetric) fs && distinct keys && Nat.eqb (length keys) (length ps) then
        match all_of_measure m (map (fun p => cost p (Measured Symmetric :: of_rows fs) 1) ps) with
        | Some ls => lift_to m d (Some (worst ls)) | None => None end
      else None
  | Tree (ParallelChangeOne m keys) ps =>
      let n := length keys in
      if has (Part ChangeOne) fs && distinct keys && Nat.eqb (n + n) (length ps) && list_eqb alike (firstn n ps) (skipn n ps) then
        match all_of_measure m (firstn n (map (fun p => cost p (Measured Symmetric :: of_rows fs) 1) ps)),
              all_of_measure m (skipn n (map (fun p => cost p (Measured ChangeOne :: of_rows fs) 1) ps)) with
        | Some ls, Some cs => lift_to m d (Some (worst (worst_two ls :: cs))) | _, _ => None end
      else None
  | Tree (Jointly m joint source) ps =>
      if starts_in source fs && forallb nonnegs joint && forallb (fun v => Nat.eqb (length v + length v) (length ps)) joint then
        match by_part cost m (one_step source fs) ps joint with
        | Some columns => lift_to m d (Some (worst (map (together md) (by_vector joint columns)))) | None => None end
      else None
  | Tree (Adaptive m losses choices source) [] =>
      if starts_in source fs && nonnegs (map fst losses) && nonnegs (map snd losses) && Nat.eqb (length losses) (length choices) then
        lift_to m d (Some (together md losses))
      else None
  | Tree r [] => cost_rule r fs d
  | _ => None
  end.
End Rounding.
