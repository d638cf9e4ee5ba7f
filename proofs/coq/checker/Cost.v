(** * What a measurement costs

    [cost n m xs fs d] are bounds of the loss in the measure [m] at the points [xs] of its curve (a measure without a curve is
    asked at one point, which is idle), between data of which the facts [fs] are known, at a distance of [d]; nothing where the
    tree is not one of the rules followed, or loses in another measure.

    It is asked from the top: each rule asks its premises once, for all the points that it needs. So curves of curves take no
    more than the sum of what each takes. *)
From Coq Require Import String List ZArith QArith Qround Bool.
From DPchecker Require Import Json Language Ordered Meaning Alike Numbers Exponentials Distances Losses Worst Rounding Points Grouped StepByStep StepFacts Leaves
  NoiseProfile Claimed Together Advanced Optimal Unequal Plain Converted Jointly Overlaps Orders Hidden.
Import ListNotations.
Set Implicit Arguments.

(** The same loss at each point. *)
Definition everywhere (xs : list Q) (l : loss) : list loss := map (fun _ => l) xs.

Section Rounding.
Variable md : mode.

(** From one step to [d]: [ask] has what is lost at distance 1 (or at 0, of no point at all), at some points. *)
Definition by_steps (m : measure) (d : Q) (xs : list Q) (ask : Q -> list Q -> option (list loss)) : option (list loss) :=
  if lifts m then let* ls := ask (step_of m d) (points_of_step m d xs) in lifted_all md m d xs ls
  else let* n := steps_in d in let* _ := ask 1%Q [] in step_by_step md (ask 1%Q) m n xs.

Definition leaf_cost (r : rule) (m : measure) (xs : list Q) (fs : list fact) (d : Q) : option (list loss) :=
  match cost_rule r fs d with Some (k, l) => if measure_eqb m k then Some (everywhere xs l) else None | None => None end.

Fixpoint cost (n : node) (m : measure) (xs : list Q) (fs : list fact) (d : Q) : option (list loss) :=
  match n with
  | Tree Chain ps =>
      (fix go ps fs d := match ps with
       | [] => None
       | [p] => cost p m xs fs d
       | p :: ps => match far p fs with Some (fs, f) => match through f d with Some d => go ps fs d | None => None end | None => None end
       end) ps fs d
  | Tree (PostProcess _) [p] => cost p m xs fs d
  | Tree (Convert source target tight parameter witness) [p] =>
      let* _ := guard (measure_eqb m target) in
      let* ls := cost p source (asked source target witness) fs d in converted md source target tight parameter witness xs ls
  | Tree (Compose k) ps =>
      let* _ := guard (measure_eqb m k) in
      let* rows := all_of (fun p => cost p m xs fs d) ps in together_at md m xs rows
  | Tree (Advanced k slack) (p :: ps) =>
      let* _ := guard (measure_eqb m MApprox && takes_advanced k && above_0 slack && above_0 (1 - slack)) in
      let* rows := all_of (fun p => cost p k [0%Q] fs d) (p :: ps) in
      let* l := advanced md k slack (map (hd zero_loss) rows) in Some (everywhere xs l)
  | Tree (AdvancedOrPlain k slack) (p :: ps) =>
      let* _ := guard (measure_eqb m MApprox && takes_advanced k && above_0 slack && above_0 (1 - slack)) in
      let* rows := all_of (fun p => cost p k [0%Q] fs d) (p :: ps) in
      let* l := advanced_or_plain md k slack (map (hd zero_loss) rows) in Some (everywhere xs l)
  | Tree (Unequal k) (p :: ps) =>
      let* _ := guard (measure_eqb m MProfile && takes_optimal k) in
      let* rows := all_of (fun p => cost p k [0%Q] fs d) (p :: ps) in unequal_curve md k (map (hd zero_loss) rows) xs
  | Tree (Optimal k) (p :: ps) =>
      let* _ := guard (measure_eqb m MProfile && takes_optimal k) in
      let* rows := all_of (fun p => cost p k [0%Q] fs d) (p :: ps) in
      optimal (Pos.of_succ_nat (length ps)) (worst (map (hd zero_loss) rows)) xs
  | Tree (Group k) [p] =>
      let* _ := guard (measure_eqb m k) in let* gs := step_facts fs in
      if lifts m then let* ls := cost p m (points_of_step m d xs) gs (step_of m d) in lifted_all md m d xs ls
      else
        let* n := steps_in d in let* _ := cost p m [] gs 1%Q in
        (* A conversion asks its premise at the points of its witness at every step, so it is asked once for all. *)
        let ask := match p with
          | Tree (Convert source target tight parameter witness) [q] =>
              let h := let* ls := cost q source (asked source target witness) gs 1%Q in halfway source target witness ls in
              fun ys => let* _ := guard (measure_eqb m target) in let* h := h in converted md (fst h) target tight parameter witness ys (snd h)
          | _ => fun ys => cost p m ys gs 1%Q
          end in step_by_step md ask m n xs
  | Tree Locally [p] =>
      let* _ := guard (measure_eqb m MPure && starts_in ChangeOne fs) in
      let* row := cost p MPure [0%Q] [Measured Discrete] 1%Q in
      lifted_all md m d xs (everywhere (points_of_step m d xs) (hd zero_loss row))
  | Tree (Shuffled size delta) [p] =>
      let* _ := guard (measure_eqb m MApprox && starts_in ChangeOne fs && existsb (is_sized_of size) (one_step ChangeOne fs)) in
      let* _ := guard (above_0 delta && above_0 (1 - delta)) in
      let* row := cost p MPure [0%Q] [Measured Discrete] 1%Q in
      let* e := hidden_above size delta (fst (hd zero_loss row)) in
      lifted_all md m d xs (everywhere (points_of_step m d xs) (e, delta))
  | Tree (ParallelSymmetric k keys) ps =>
      let* _ := guard (measure_eqb m k && negb (measure_eqb m MTradeoff)) in
      let* _ := guard (has (Part Symmetric) fs && distinct keys && Nat.eqb (length keys) (length ps)) in
      let gs := of_rows (one_step (Part Symmetric) fs) in
      by_steps m d xs (fun s ys =>
        let* rows := all_of (fun p => cost p m ys (Measured Symmetric :: gs) s) ps in Some (map worst (columns ys rows)))
  | Tree (ParallelChangeOne k keys) ps =>
      let n := length keys in
      let* _ := guard (measure_eqb m k && adds m) in
      let* _ := guard (has (Part ChangeOne) fs && distinct keys && Nat.eqb (n + n) (length ps)) in
      let* _ := guard (list_eqb alike (firstn n ps) (skipn n ps)) in
      let gs := of_rows (one_step (Part ChangeOne) fs) in
      by_steps m d xs (fun s ys =>
        let of_step w p := cost p m ys (Measured w :: gs) s in
        let* rows := halves (of_step Symmetric) (of_step ChangeOne) n ps in
        Some (map (fun c => worst (worst_two (fst c) :: snd c)) (combine (columns ys (fst rows)) (columns ys (snd rows)))))
  | Tree (ParallelAlike k) [p] =>
      let* _ := guard (measure_eqb m k && negb (measure_eqb m MTradeoff) && has (Part Symmetric) fs) in
      let gs := of_rows (one_step (Part Symmetric) fs) in by_steps m d xs (fun s ys => cost p m ys (Measured Symmetric :: gs) s)
  | Tree (ParallelAlikeChangeOne k) [p; q] =>
      let* _ := guard (measure_eqb m k && adds m && has (Part ChangeOne) fs && alike p q) in
      let gs := of_rows (one_step (Part ChangeOne) fs) in
      by_steps m d xs (fun s ys =>
        let* moved := cost p m ys (Measured Symmetric :: gs) s in
        let* changed := cost q m ys (Measured ChangeOne :: gs) s in
        Some (map (fun c => larger (doubled (fst c)) (snd c)) (combine moved changed)))
  | Tree (Jointly k joint source) ps =>
      let* _ := guard (measure_eqb m k && negb (curved m) && starts_in source fs && forallb nonnegs joint) in
      let* _ := guard (forallb (fun v => Nat.eqb (length v + length v) (length ps)) joint) in
      let* columns := by_part (fun p fs d => let* row := cost p m [0%Q] fs d in Some (hd zero_loss row)) (one_step source fs) ps joint in
      lifted_all md m d xs (everywhere (points_of_step m d xs) (worst (together md (by_vector joint columns))))
  | Tree (Overlapping k by_ touched) ps =>
      let* _ := guard (measure_eqb m k && negb (curved m) && starts_in Symmetric fs && Nat.eqb (length touched) (length ps)) in
      let* rows := all_of (fun p => cost p m [0%Q] (one_step Symmetric fs) 1%Q) ps in
      lifted_all md m d xs (everywhere (points_of_step m d xs) (dearest md touched (map (hd zero_loss) rows)))
  | Tree (Adaptive k losses choices source) [] =>
      let* _ := guard (measure_eqb m k && negb (curved m) && starts_in source fs) in
      let* _ := guard (nonnegs (map fst losses) && nonnegs (map snd losses) && Nat.eqb (length losses) (length choices)) in
      lifted_all md m d xs (everywhere (points_of_step m d xs) (sum_of md losses))
  | Tree (Asking k budget more source) ps =>
      let* _ := guard (measure_eqb m k && negb (curved m) && starts_in source fs && nonnegs [budget; more]) in
      let* rows := all_of (fun p => cost p m [0%Q] (one_step source fs) 1%Q) ps in
      lifted_all md m d xs (everywhere (points_of_step m d xs) (worst [(budget, more); sum_of md (map (hd zero_loss) rows)]))
  | Tree (AskingAtOrders points source) ps =>
      let* _ := guard (measure_eqb m MRenyi && starts_in source fs && forallb (fun p => Qlt_bool 1 (fst p)) points && nonnegs (map snd points)) in
      let* n := steps_in d in
      let ask ys :=
        let* budgets := all_of (fun y => option_map (fun b => (b, 0%Q)) (least_from points y)) ys in
        let* rows := all_of (fun p => cost p m ys (one_step source fs) 1%Q) ps in
        match rows with [] => Some budgets | _ => let* asked := together_at md m ys rows in Some (worse_of budgets asked) end in
      step_by_step md ask m n xs
  | Tree (Comparing _ bT bQ hits source) [] =>
      let* _ := guard (measure_eqb m MPure && starts_in source fs && above_0 bT && above_0 bQ) in
      lifted_all md m d xs (everywhere (points_of_step m d xs) (Qred (/ bT + 2 * (Zpos hits # 1) * / bQ), 0%Q))
  | Tree (GaussianProfile variance step) [] => let* _ := guard (measure_eqb m MProfile) in noise_profile variance step fs d xs
  | Tree (ClaimedMeasurement _ _ source k promised) [] =>
      let* _ := guard (measure_eqb m k && has source fs) in claimed_cost m promised xs d
  | Tree r [] => leaf_cost r m xs fs d
  | _ => None
  end.
End Rounding.
