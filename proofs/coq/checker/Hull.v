(** * Which of many lines is the highest at a point

    A line is its height at 0 and how steeply it falls, in units of 2^-n. Where each of them is the highest is worked out once;
    then it is looked up. This is a guess, and nothing rests on it but that what is found is one of the lines. *)
From Coq Require Import ZArith List.
Import ListNotations.
Set Implicit Arguments.

Section Hull.
Variables (A : Type) (n : Z).
Record line := { height : Z; fall : Z; what : A }.

(** ** In the order of a key *)
Section Sort.
Variables (B : Type) (key : B -> Z).
Fixpoint merge (k : list B) : list B -> list B :=
  match k with
  | [] => fun l => l
  | a :: k' => fix go l := match l with [] => a :: k' | b :: l' => if Z.leb (key a) (key b) then a :: merge k' l else b :: go l' end
  end.
Fixpoint merge_pairs (ls : list (list B)) : list (list B) := match ls with k :: l :: ls => merge k l :: merge_pairs ls | ls => ls end.
Fixpoint merge_all (fuel : nat) (ls : list (list B)) : list B :=
  match fuel, ls with _, [l] => l | S fuel, ls => merge_all fuel (merge_pairs ls) | O, ls => concat ls end.
Definition in_order (l : list B) : list B := merge_all 30 (map (fun b => [b]) l).
End Sort.

(** ** From the steepest on: each with the point from which it is the highest, the last of them first

    Points are rounded up, so that at 0 it is the tallest. *)
Fixpoint push (c : line) (stack : list (Z * line)) : list (Z * line) :=
  match stack with
  | [] => [(0%Z, c)]
  | (x, b) :: below =>
      if Z.leb (fall b) (fall c) then if Z.leb (height c) (height b) then stack else push c below
      else let y := (- (Z.shiftl (height c - height b) n / (fall b - fall c)))%Z in if Z.leb y x then push c below else (y, c) :: stack
  end.
Definition hull (ls : list line) : list (Z * line) := fold_left (fun stack c => push c stack) ls [].

Fixpoint highest_at (x : Z) (stack : list (Z * line)) : option A :=
  match stack with [] => None | [(_, c)] => Some (what c) | (y, c) :: below => if Z.leb y x then Some (what c) else highest_at x below end.

(** ** What is found is one of the lines *)
Variable P : A -> Prop.
Let good (c : line) := P (what c).

Lemma push_good c stack : good c -> Forall (fun s => good (snd s)) stack -> Forall (fun s => good (snd s)) (push c stack).
Proof.
  intros C F. induction F as [|[x b] below B F IH]; cbn [push]; [constructor; auto|].
  destruct (Z.leb (fall b) (fall c)); [destruct (Z.leb _ _); auto|]. cbv zeta. destruct (Z.leb _ x); auto.
Qed.
Lemma hull_good ls : Forall good ls -> Forall (fun s => good (snd s)) (hull ls).
Proof.
  unfold hull. intros F. assert (G : Forall (fun s : Z * line => good (snd s)) []) by constructor. revert G. generalize (@nil (Z * line)).
  induction F as [|c ls C F IH]; intros stack G; [exact G|]. simpl. apply IH. now apply push_good.
Qed.
Lemma highest_at_good x stack a : Forall (fun s => good (snd s)) stack -> highest_at x stack = Some a -> P a.
Proof.
  induction 1 as [|[y c] below C F IH]; cbn [highest_at]; [discriminate|]. destruct below as [|s below].
  - intros H; injection H as <-. exact C.
  - destruct (Z.leb y x); [intros H; injection H as <-; exact C | exact IH].
Qed.

Section Kept.
Variables (B : Type) (key : B -> Z) (R : B -> Prop).
Lemma merge_good k l : Forall R k -> Forall R l -> Forall R (merge key k l).
Proof.
  intros K. revert l. induction K as [|a k Ra K IH]; intros l L; [exact L|]. induction L as [|b l Rb L IHl]; cbn [merge]; [constructor; auto|].
  destruct (Z.leb (key a) (key b)); constructor; auto.
Qed.
Lemma in_order_good l : Forall R l -> Forall R (in_order key l).
Proof.
  intros F. unfold in_order. assert (G : Forall (Forall R) (map (fun b => [b]) l)) by (apply Forall_map; revert F; apply Forall_impl; auto).
  revert G. generalize (map (fun b : B => [b]) l). clear F l.
  assert (Pairs : forall ls, Forall (Forall R) ls -> Forall (Forall R) (merge_pairs key ls)).
  { assert (N : forall k ls, length ls <= k -> Forall (Forall R) ls -> Forall (Forall R) (merge_pairs key ls)).
    { induction k as [|k IH]; intros [|a [|b ls]] L G; simpl in L; auto; try (exfalso; inversion L; fail).
      inversion G as [|? ? Ga G']; inversion G' as [|? ? Gb G'']; subst. simpl. constructor; [now apply merge_good|]. apply IH; [|exact G''].
      apply le_S_n in L. apply le_S_n, le_S, L. }
    intros ls. now apply (N (length ls)). }
  assert (Cat : forall ls, Forall (Forall R) ls -> Forall R (concat ls)) by (induction 1; simpl; [constructor | now apply Forall_app]).
  generalize 30. induction n0 as [|fuel IH]; intros ls G.
  - destruct ls as [|l [|l' ls]]; simpl; [constructor | now inversion G | apply (Cat (l :: l' :: ls) G)].
  - destruct ls as [|l [|l' ls]]; [apply (IH [] ltac:(constructor)) | now inversion G | apply IH, Pairs, G].
Qed.
End Kept.
End Hull.
