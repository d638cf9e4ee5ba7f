(** * The laws of an interpretation can be kept

    Rows are whole numbers here, sorted by insertion; [verdict_sound] is about something. *)
From Coq Require Import String List ZArith QArith Reals Permutation Bool Lia Ascii Lra.
From DPcore Require Import Distributions Metrics.
From DPchecker Require Import Language Meaning Distances.
Import ListNotations.
Set Implicit Arguments.

(** ** An order of all constants, by lists of numbers *)
Definition bit (b : bool) : nat := if b then 1%nat else 0%nat.
Definition code_text (s : string) : list nat := map (fun c => S (nat_of_ascii c)) (list_ascii_of_string s).
Definition code (c : constant) : list nat :=
  match c with
  | CNull => [0] | CTruth b => [1; bit b] | CText s => 2 :: code_text s
  | CNumber q => [3; bit (Z.ltb (Qnum q) 0); Z.abs_nat (Qnum q); Pos.to_nat (Qden q)] | CDate s => 4 :: code_text s
  end%nat.

Lemma code_text_inj s t : code_text s = code_text t -> s = t.
Proof.
  unfold code_text. intros H. rewrite <- (string_of_list_ascii_of_string s), <- (string_of_list_ascii_of_string t). f_equal.
  revert H. generalize (list_ascii_of_string s) (list_ascii_of_string t). induction l as [|a l IH]; intros [|b k]; simpl; try discriminate; auto.
  intros H. injection H as E F. f_equal; [|now apply IH]. rewrite <- (ascii_nat_embedding a), <- (ascii_nat_embedding b). congruence.
Qed.
Lemma code_inj a b : code a = code b -> a = b.
Proof.
  destruct a as [|[]|s|[n d]|s], b as [|[]|t|[m e]|t]; simpl; try discriminate; try reflexivity.
  - intros H. injection H as H. f_equal. now apply code_text_inj.
  - unfold bit. destruct (Z.ltb n 0) eqn:A, (Z.ltb m 0) eqn:B; intros E; injection E; try discriminate; intros; rewrite ?Z.ltb_lt, ?Z.ltb_ge in *;
    assert (n = m) by lia; assert (d = e) by (now apply Pos2Nat.inj); congruence.
  - intros H. injection H as H. f_equal. now apply code_text_inj.
Qed.

Fixpoint less (k l : list nat) : bool :=
  match k, l with
  | _, [] => false | [], _ => true
  | a :: k, b :: l => Nat.ltb a b || (Nat.eqb a b && less k l)
  end.
Lemma less_irrefl k : less k k = false.
Proof. induction k; simpl; auto. now rewrite Nat.ltb_irrefl, Nat.eqb_refl. Qed.
Lemma less_trans k l m : less k l = true -> less l m = true -> less k m = true.
Proof.
  revert l m; induction k as [|a k IH]; intros [|b l] [|c m]; simpl; try discriminate; auto.
  rewrite !orb_true_iff, !andb_true_iff, !Nat.ltb_lt, !Nat.eqb_eq. intros [H|[-> H]] [K|[-> K]]; try (left; lia). right; eauto.
Qed.
Lemma less_total k l : less k l = false -> less l k = false -> k = l.
Proof.
  revert l; induction k as [|a k IH]; intros [|b l]; simpl; try discriminate; auto.
  rewrite !orb_false_iff, !andb_false_iff, !Nat.ltb_ge, !Nat.eqb_neq. intros [H1 H2] [K1 K2].
  assert (a = b) by lia. subst. f_equal. apply IH; [destruct H2; [lia | assumption] | destruct K2; [lia | assumption]].
Qed.

(** ** Rows in order *)
Fixpoint insert (z : Z) (l : list Z) : list Z := match l with [] => [z] | a :: k => if Z.leb z a then z :: l else a :: insert z k end.
Definition sorted (l : list Z) : list Z := fold_right insert [] l.
Lemma insert_swap a b l : insert a (insert b l) = insert b (insert a l).
Proof.
  induction l as [|c l IH]; simpl.
  - destruct (Z.leb_spec a b), (Z.leb_spec b a); try lia; auto. now replace b with a by lia.
  - destruct (Z.leb_spec b c), (Z.leb_spec a c); simpl;
    repeat match goal with |- context [Z.leb ?x ?y] => destruct (Z.leb_spec x y) end; try lia; auto;
    try (replace b with a by lia; auto); congruence.
Qed.
Lemma sorted_order x y : Permutation x y -> sorted x = sorted y.
Proof. induction 1; simpl; auto; [congruence | apply insert_swap | congruence]. Qed.

Lemma insert_one a l : exists u v, l = u ++ v /\ insert a l = u ++ a :: v.
Proof.
  induction l as [|b l (u & v & E & F)]; [exists [], []; auto|]. cbn [insert]. destruct (Z.leb a b); [now exists [], (b :: l)|].
  exists (b :: u), v. simpl. now rewrite E, F at 1.
Qed.
Lemma sorted_all l : Permutation (sorted l) l.
Proof.
  induction l as [|a l IH]; [constructor|]. cbn [sorted fold_right]. destruct (insert_one a (sorted l)) as (u & v & E & F).
  unfold sorted in F at 1. rewrite F. rewrite <- Permutation_middle. constructor. rewrite <- E. exact IH.
Qed.

(** ** One interpretation for any relation of the user's own *)
Definition whole_rows (relation : string -> func -> option positive -> Metrics.metric (data_of Z)) : interpretation.
Proof.
  refine {| row := Z; users := unit; value := inject_Z; coordinates := fun z => [inject_Z z];
    answer := fun _ _ z => inject_Z (Z.max 0 (Z.min 1 z)); answers_step := fun _ _ => 1%Q; person := fun _ z => CNumber (inject_Z z);
    mapped := fun _ z => z; holds := fun _ z => Z.even z; class := fun _ z => CNumber (inject_Z z); complete := fun _ z => Some z;
    new_rows := fun _ z => [z; z]; clipped := fun _ _ z => z; ordered := sorted; shuffled := sorted;
    first_by := fun _ => sorted; filling := fun _ => 0%Z; shown := fun _ => tt;
    before := fun a b => less (code a) (code b); processed := fun _ r => ret r; made := fun _ _ _ d => d; told := fun _ _ _ => ret Nothing;
    stage := fun _ _ _ => ret Nothing; asks := fun _ _ _ => None; asks_at_orders := fun _ _ => None; compares := fun _ _ _ _ _ => None; patience := O; granularity := relation |}; intros.
  - reflexivity.
  - congruence.
  - now apply sorted_order.
  - now apply sorted_order.
  - apply sorted_all.
  - exact (insert_one r (sorted x)).
  - now apply sorted_order.
  - apply less_irrefl.
  - eapply less_trans; eauto.
  - now apply code_inj, less_total.
Defined.

(** With data that are neighbours and not the same. *)
Theorem interpretations_exist : exists (I : interpretation) (x y : data I), apart Symmetric 1%R x y /\ x <> y.
Proof.
  exists (whole_rows (fun _ _ _ => discrete)), (Rows DText []), (Rows DText [1%Z]). split; [split; [reflexivity|] | discriminate].
  exists [], [1%Z]. split; [exists []; split; apply Permutation_refl | simpl; lra].
Qed.
