(** * A budget at some orders, read at any: that of the next one, of those the least *)
From Coq Require Import List QArith Qreals Reals.
From DPchecker Require Import Numbers Losses.
From DPchecker Require Worst.
Import ListNotations.
Set Implicit Arguments.

Fixpoint least_from (points : list (Q * Q)) (order : Q) : option Q :=
  match points with
  | [] => None
  | p :: points =>
      let rest := least_from points order in
      if Qle_bool order (fst p) then match rest with Some q => Some (if Qle_bool (snd p) q then snd p else q) | None => Some (snd p) end else rest
  end.

Lemma least_from_ok points order most : least_from points order = Some most ->
  exists p, In p points /\ (Q2R order <= Q2R (fst p))%R /\ snd p = most.
Proof.
  induction points as [|p points IH] in most |- *; intros H; [discriminate|]. cbn [least_from] in H. cbv zeta in H.
  assert (Later : forall q, least_from points order = Some q -> exists r, In r (p :: points) /\ (Q2R order <= Q2R (fst r))%R /\ snd r = q).
  { intros q E. destruct (IH q E) as (r & J & L). exists r. split; [now right | exact L]. }
  destruct (Qle_bool order (fst p)) eqn:E; [|now apply Later]. apply Qle_R in E.
  assert (Here : exists r, In r (p :: points) /\ (Q2R order <= Q2R (fst r))%R /\ snd r = snd p) by (exists p; repeat split; [now left | exact E]).
  destruct (least_from points order) as [q|]; [|injection H as <-; exact Here].
  destruct (Qle_bool (snd p) q); injection H as <-; [exact Here | now apply Later].
Qed.

(** At an order, the worse of the budget there and of what was asked. *)
Definition worse_of (budgets asked : list loss) : list loss := map (fun p => Worst.worst [fst p; snd p]) (combine budgets asked).
