(** * Questions and above-thresholds by turns

    An analyst asks measurements, begins any number of above-thresholds, and compares with any of those that are not over, in
    any order, each query chosen after all that was seen. An account says whether what is asked next is answered; an
    above-threshold is charged whole when it is begun, and comparisons cost nothing more.

    This is not composition of measurements: what a comparison tells depends on a threshold that is hidden.
    [HiddenThreshold.v] has what all answers lose, [Interleaved.v] the measures. *)
From Coq Require Import Reals Lra List ZArith.
From DPcore Require Import Distributions Metrics Measures Laplace AboveThreshold Filters.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

(** An above-threshold that was begun: its hidden level, how many answers may still be above, and by how much its queries move. *)
Record live := { level : Z; scale : R; scale_pos : 0 < scale; hits_left : nat; by_ : R }.
Definition one_hit_less (l : live) : live :=
  {| level := level l; scale := scale l; scale_pos := scale_pos l; hits_left := pred (hits_left l); by_ := by_ l |}.

Fixpoint put {A} (i : nat) (a : A) (l : list A) : list A :=
  match l, i with [], _ => [] | _ :: l, O => a :: l | b :: l, S i => b :: put i a l end.

(** What is done next. *)
Inductive question (X A : Type) :=
| Asks (M : X -> dist A)
| Begins (moves : R) (nonneg : 0 <= moves) (threshold : Z) (bT bQ : R) (T : 0 < bT) (Q : 0 < bQ) (hits : nat)
| Compares (which : nat) (moves : R) (query : X -> Z).
Inductive event (A : Type) := Told (a : A) | Begun | Compared (above : bool) | Turned_down.
Arguments Begins {X A}. Arguments Compares {X A}. Arguments Begun {A}. Arguments Compared {A}. Arguments Turned_down {A}.

(** What an above-threshold loses, in PureDP. *)
Definition whole_loss (moves bT bQ : R) (hits : nat) : R := moves / bT + INR hits * ((moves + moves) / bQ).

Section Talk.
Variables (X A : Type).
Notation seen := (list (event A)).
Variable ask : seen -> option (question X A).
Variable allowed : seen -> bool. (* whether what is asked next is answered, which the account knows from what was seen *)

Fixpoint talk (stages : nat) (s : seen) (ls : list live) (x : X) : dist seen :=
  match stages, ask s with
  | S n, Some (Asks M) =>
      if allowed s then bind (M x) (fun a => talk n (Told a :: s) ls x) else talk n (Turned_down :: s) ls x
  | S n, Some (Begins m N threshold bT bQ T Q hits) =>
      if allowed s then
        bind (discrete_laplace T threshold) (fun z => talk n (Begun :: s)
          (ls ++ [{| level := z; scale := bQ; scale_pos := Q; hits_left := hits; by_ := m |}]) x)
      else talk n (Turned_down :: s) ls x
  | S n, Some (Compares i m q) =>
      match nth_error ls i with
      | Some l =>
          if (up_to (by_ l) m && negb (Nat.eqb (hits_left l) 0))%bool then
            bind (discrete_laplace (scale_pos l) (q x)) (fun z =>
              if Z.leb (level l) z then talk n (Compared true :: s) (put i (one_hit_less l) ls) x
              else talk n (Compared false :: s) ls x)
          else talk n (Turned_down :: s) ls x
      | None => talk n (Turned_down :: s) ls x
      end
  | _, _ => ret s
  end.

(** The sum of what was answered, each at what it cost after what was seen before it. *)
Fixpoint total {L} {O : losses L} (cost : seen -> L) (s : seen) : L :=
  match s with
  | [] => zero
  | (Told _ | Begun) :: s => plus (total cost s) (cost s)
  | _ :: s => total cost s
  end.

Lemma talk_alike (x y : X) stages : (forall s M, ask s = Some (Asks M) -> same (M x) (M y)) ->
  (forall s i m q, ask s = Some (Compares i m q) -> q x = q y) ->
  forall s ls, same (talk stages s ls x) (talk stages s ls y).
Proof.
  intros SA SQ. induction stages as [|n IH]; intros s ls; cbn [talk]; [apply same_refl|].
  destruct (ask s) as [[M|m m0 t bT bQ T Q hits|i m q]|] eqn:E; [| | |apply same_refl].
  - destruct (allowed s); [|apply IH]. apply same_bind; [exact (SA _ _ E) | intros a; apply IH].
  - destruct (allowed s); [|apply IH]. apply same_bind; [apply same_refl | intros z; apply IH].
  - destruct (nth_error ls i) as [l|]; [|apply IH]. destruct (up_to (by_ l) m && _)%bool; [|apply IH].
    rewrite (SQ _ _ _ _ E). apply same_bind; [apply same_refl|]. intros z. destruct (Z.leb (level l) z); apply IH.
Qed.
End Talk.

(** An account that adds up charges: a question comes with what it is charged, and is answered while the sum fits. *)
Section Charged.
Variables (X A L : Type) (O : losses L).
Notation seen := (list (event A)).
Variable asks : seen -> option (L * question X A).
Variable fits : L -> bool.

Definition asked (s : seen) : option (question X A) := option_map snd (asks s).
Definition price (s : seen) : L := match asks s with Some (l, _) => l | None => zero end.
Definition charged_talk (stages : nat) : X -> dist seen :=
  talk asked (fun s => fits (plus (total price s) (price s))) stages [] [].
End Charged.
