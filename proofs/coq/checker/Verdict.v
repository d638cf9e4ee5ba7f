(** * The verdict, and what it means *)
From Coq Require Import String List ZArith QArith Qreals Reals Bool.
From DPcore Require Import Distributions.
From DPchecker Require Import Json Language Alike Meaning Numbers Distances Losses Promises Cost Check Decode Domains.
Import ListNotations.
Open Scope string_scope.
Set Implicit Arguments.

(** The claim is no more than what was worked out, but for rounding. *)
Definition close_to (figure claimed : Q) : bool :=
  Qle_bool claimed (figure * (1 + (1 # 1000000000000000))) || Qle_bool claimed (1 # Pos.pow 10 300).
Definition near (l k : loss) : bool := close_to (fst l) (fst k) && close_to (snd l) (snd k).

(** First fast: sums are exact while they are short, else good to about a hundred and thirty bits of what is claimed. If
    that decides nothing, they are exact up to some thousands of bits. *)
Definition fast_mode (cl : claim) : mode :=
  let size q := (Z.log2 (Zpos (Qden q)) - Z.log2 (Qnum q))%Z in
  {| fast := true; cap := 64; grain := 130 + Z.max 0 (Z.max (size (fst (claimed cl))) (size (snd (claimed cl)))) |}.
Definition exact_mode : mode := {| fast := false; cap := 6000; grain := 12000 |}.

Definition holds_in (md : mode) (c : certificate) (cl : claim) : bool :=
  match worked_out md c cl with Some l => if no_more l (claimed cl) then near l (claimed cl) else false | None => false end.

(** More than is claimed, but by so little that it may be rounding. *)
Definition a_little_more (l k : loss) : bool :=
  let grown q := (q * (1 + (1 # 1000000000000000000)))%Q in no_more l (grown (fst k), grown (snd k)).

(** Conditionals, where [&&] and [||] would have Coq's machine compute both sides. *)
Definition claim_holds (c : certificate) (cl : claim) : bool :=
  match worked_out (fast_mode cl) c cl with
  | Some l =>
      if no_more l (claimed cl) then near l (claimed cl)
      else if a_little_more l (claimed cl) then holds_in exact_mode c cl else false
  | None => false
  end.

Definition claim_fits (c : certificate) (cl : claim) : bool :=
  let m := input_metric c in
  (is_whole (d_in cl) || negb (counts_steps m)) &&
  (Qle_bool (d_in cl) 1 || match m with Discrete => false | _ => true end) &&
  (negb (Qeqb (d_in cl) 1) || match m, size_of (input c) with (Symmetric | Person _), Some _ => false | _, _ => true end) &&
  match claimed_measure cl with MApprox => Qlt_bool (snd (claimed cl)) 1 | MTotalVariation => Qlt_bool (fst (claimed cl)) 1 | _ => true end.

(** No loss at all: then the claim is next to nothing. *)
Definition lossless (c : certificate) : bool :=
  forallb (fun cl => if close_to 0 (fst (claimed cl)) && close_to 0 (snd (claimed cl)) then
    match worked_out exact_mode c cl with Some l => Qeq_bool (fst l) 0 && Qeq_bool (snd l) 0 | None => false end else false) (claims c).

Definition texts_eqb := list_eqb String.eqb.

Definition check (c : certificate) : bool :=
  forallb (claim_holds c) (claims c) &&
  forallb (claim_fits c) (claims c) && measured_by (input_metric c) (input c) &&
  match fits (derivation c) (input c) (input_metric c) with
  | Some (None, notes) =>
      texts_eqb (assumptions c) (sorted_once notes) &&
      texts_eqb (attention c) (sorted_once (remarks (derivation c)) ++ (if lossless c then [no_loss] else []))%list &&
      String.eqb (neighbours c) (words (input_metric c))
  | _ => false
  end.

Inductive verdict := Accepted | Rejected | NotProved (rule : string).

Definition verdict_on (j : json) : verdict :=
  match tree_of j with
  | None => Rejected
  | Some t =>
      match not_followed t with
      | rule :: _ => NotProved rule
      | [] =>
          match certificate_ j with
          | Some c => if check c then if parts_alike depth (the_field "derivation" j) then Accepted else Rejected else Rejected
          | None => Rejected
          end
      end
  end.

(** ** What is accepted is private *)
Theorem check_sound c : check c = true -> forall cl, In cl (claims c) -> forall (I : interpretation), promises I (derivation c) -> forall x y : data I,
  inputs c (d_in cl) x y -> promise (claimed_measure cl) (claimed cl) (denote (derivation c) x) (denote (derivation c) y).
Proof.
  unfold check. intros H cl J I Kept x y K. rewrite !andb_true_iff in H. destruct H as [[[H _] _] _].
  rewrite forallb_forall in H. specialize (H cl J). unfold claim_holds in H.
  assert (C : exists md, covered md c cl = true).
  { destruct (worked_out (fast_mode cl) c cl) as [l|] eqn:W; [|discriminate]. destruct (no_more l (claimed cl)) eqn:M.
    - exists (fast_mode cl). unfold covered. now rewrite W.
    - destruct (a_little_more l (claimed cl)); [|discriminate]. exists exact_mode. unfold holds_in in H. unfold covered.
      destruct (worked_out exact_mode c cl) as [k|]; [|discriminate]. now destruct (no_more k (claimed cl)). }
  destruct C as (md & C). eapply covered_sound; eassumption.
Qed.

Theorem verdict_sound j : verdict_on j = Accepted -> exists c, certificate_ j = Some c /\
  forall cl, In cl (claims c) -> forall (I : interpretation), promises I (derivation c) -> forall x y : data I,
  inputs c (d_in cl) x y -> promise (claimed_measure cl) (claimed cl) (denote (derivation c) x) (denote (derivation c) y).
Proof.
  unfold verdict_on. destruct (tree_of j) as [t|]; [|discriminate]. destruct (not_followed t); [|discriminate].
  destruct (certificate_ j) as [c|]; [|discriminate]. destruct (check c) eqn:E; [|discriminate].
  intros _. exists c; split; [reflexivity|]. now apply check_sound.
Qed.
