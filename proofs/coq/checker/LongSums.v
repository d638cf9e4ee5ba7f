(** * Long sums, from above

    Exactly, over a common denominator; or by halves, rounded up. *)
From Coq Require Import ZArith QArith Qreals Reals Lra Lia List Bool.
From DPchecker Require Import Json Numbers Exponentials Rounding Points.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

Definition sum_R (l : list Q) : R := fold_right (fun a s => Q2R a + s) 0 l.

(** ** Over a common denominator

    Of sums at several points of a curve: denominators at one point are mostly those at the point before, and what each of them
    is multiplied with is kept. *)
Definition size (p : positive) : Z := (Z.log2 (Zpos p) + 1)%Z.
Definition widest : Z := 3400.
Definition budget : Z := 1000000000.

(** The least common multiple so far, and what was spent on it. *)
Definition widened (d : positive) (s : option (positive * Z)) : option (positive * Z) :=
  let* s := s in let (m, spent) := s in
  let spent := (spent + size d * (size m + size d))%Z in
  let* _ := guard (Z.leb spent budget) in
  let r := (Zpos m mod Zpos d)%Z in
  if Z.eqb r 0 then Some (m, spent)
  else let more := (Zpos d / Z.gcd r (Zpos d))%Z in
       let* _ := guard (Z.leb (size m + Z.log2 more) widest) in Some (Z.to_pos (Zpos m * more), spent).
Fixpoint widened_by (before : list positive) (col : list Q) (s : option (positive * Z)) : option (positive * Z) :=
  match col with
  | [] => s
  | q :: col =>
      match before with
      | d :: before => widened_by before col (if Pos.eqb d (Qden q) then s else widened (Qden q) s)
      | [] => widened_by [] col (widened (Qden q) s)
      end
  end.
Fixpoint multiple_of_all (before : list positive) (cols : list (list Q)) (s : option (positive * Z)) : option (positive * Z) :=
  match cols with [] => s | col :: cols => multiple_of_all (map Qden col) cols (widened_by before col s) end.

Definition cofactor (m d : positive) : option Z := let (q, r) := Z.div_eucl (Zpos m) (Zpos d) in if Z.eqb r 0 then Some q else None.
Definition known_cofactor (m d : positive) (known : list (positive * Z)) : option Z :=
  match known with (e, c) :: _ => if Pos.eqb d e then Some c else cofactor m d | [] => cofactor m d end.
Fixpoint sum_over (m : positive) (known : list (positive * Z)) (col : list Q) : option (Z * list (positive * Z)) :=
  match col with
  | [] => Some (0%Z, [])
  | q :: col =>
      let* c := known_cofactor m (Qden q) known in let* s := sum_over m (tl known) col in
      Some (Qnum q * c + fst s, (Qden q, c) :: snd s)%Z
  end.
Fixpoint sums_over (m : positive) (known : list (positive * Z)) (cols : list (list Q)) : option (list Q) :=
  match cols with
  | [] => Some []
  | col :: cols => let* s := sum_over m known col in let* qs := sums_over m (snd s) cols in Some ((fst s # m)%Q :: qs)
  end.
Definition exact_sums (cols : list (list Q)) : option (list Q) :=
  let* m := multiple_of_all [] cols (Some (1%positive, 0%Z)) in sums_over (fst m) [] cols.

Definition right_cofactor (m : positive) (k : positive * Z) : Prop := Zpos m = (Zpos (fst k) * snd k)%Z.

Lemma cofactor_ok m d c : cofactor m d = Some c -> right_cofactor m (d, c).
Proof.
  unfold cofactor, right_cofactor. pose proof (Z_div_mod (Zpos m) (Zpos d) ltac:(lia)) as D. destruct (Z.div_eucl _ _) as [q r]. destruct D as [D _].
  destruct (Z.eqb r 0) eqn:E; [|discriminate]. apply Z.eqb_eq in E. intros H; injection H as <-. cbn [fst snd]. lia.
Qed.
Lemma known_cofactor_ok m d known c : Forall (right_cofactor m) known -> known_cofactor m d known = Some c -> right_cofactor m (d, c).
Proof.
  intros K. destruct K as [|[e k] known R _]; [apply cofactor_ok|]. simpl. destruct (Pos.eqb d e) eqn:E; [|apply cofactor_ok].
  apply Pos.eqb_eq in E. subst e. intros H; injection H as <-. exact R.
Qed.
Lemma sum_over_ok m known col s : Forall (right_cofactor m) known -> sum_over m known col = Some s ->
  Forall (right_cofactor m) (snd s) /\ IZR (fst s) = sum_R col * IZR (Zpos m).
Proof.
  revert known s. induction col as [|q col IH]; intros known s K H; simpl in H; unfold bind_option in H.
  - injection H as <-. split; [constructor | simpl; ring].
  - destruct (known_cofactor m (Qden q) known) as [c|] eqn:C; [|discriminate]. destruct (sum_over m (tl known) col) as [t|] eqn:T; [|discriminate].
    injection H as <-. apply (known_cofactor_ok _ K) in C. assert (K' : Forall (right_cofactor m) (tl known)) by (destruct K; simpl; auto).
    destruct (IH _ _ K' T) as [K1 E]. split; [constructor; assumption|]. cbn [fst snd sum_R fold_right]. fold (sum_R col).
    rewrite plus_IZR, mult_IZR, E. unfold right_cofactor in C. cbn [fst snd] in C. rewrite C, mult_IZR. unfold Q2R. field. apply not_0_IZR. lia.
Qed.
Lemma sums_over_ok m known cols qs : Forall (right_cofactor m) known -> sums_over m known cols = Some qs -> Forall2 (fun col q => sum_R col <= Q2R q) cols qs.
Proof.
  revert known qs. induction cols as [|col cols IH]; intros known qs K H; simpl in H; unfold bind_option in H; [injection H as <-; constructor|].
  destruct (sum_over m known col) as [s|] eqn:S; [|discriminate]. destruct (sums_over m (snd s) cols) as [rs|] eqn:R; [|discriminate]. injection H as <-.
  destruct (@sum_over_ok _ _ _ _ K S) as [K1 E]. constructor; [|eapply IH; eassumption]. right. unfold Q2R. cbn [Qnum Qden]. rewrite E. field. apply not_0_IZR. lia.
Qed.

(** ** By halves, which keeps denominators short *)
Section Sums.
Variable md : mode.

(** To so many bits of what is claimed, but never to less than a hundred and ten of its own: a sum that is far below the claim
    may be multiplied on its way there, as the deltas within a group are. *)
Definition added (a b : Q) : Q :=
  let c := if Pos.eqb (Qden a) (Qden b) then (Qnum a + Qnum b # Qden a)%Q else plus a b in
  if Z.leb (Z.log2 (Zpos (Qden c))) 64 then c else rounded_up (Z.max (grain md) (place c - 50)) c.
Fixpoint by_pairs (l : list Q) : list Q := match l with a :: b :: l => added a b :: by_pairs l | l => l end.
Fixpoint halving (fuel : nat) (l : list Q) : Q :=
  match fuel, l with
  | _, [] => 0
  | _, [a] => a
  | O, l => fold_right Qplus 0%Q l
  | S fuel, l => halving fuel (by_pairs l)
  end.
Definition rough_sums (cols : list (list Q)) : list Q := map (halving 40) cols.

Definition totals (cols : list (list Q)) : list Q :=
  if exact md then match exact_sums cols with Some qs => qs | None => rough_sums cols end else rough_sums cols.
Definition total (l : list Q) : Q := hd 0%Q (totals [l]).

Lemma added_ok a b : Q2R a + Q2R b <= Q2R (added a b).
Proof.
  unfold added. cbv zeta. set (c := if Pos.eqb _ _ then _ else _).
  assert (E : Q2R c = Q2R a + Q2R b).
  { unfold c. destruct (Pos.eqb (Qden a) (Qden b)) eqn:E; [|apply plus_ok]. apply Pos.eqb_eq in E. unfold Q2R; simpl. rewrite plus_IZR, E. ring. }
  rewrite <- E. destruct (Z.leb _ 64); [lra | apply rounded_up_ok].
Qed.
Lemma by_pairs_ok l : sum_R l <= sum_R (by_pairs l).
Proof.
  assert (H : forall n l, (length l <= n)%nat -> sum_R l <= sum_R (by_pairs l)); [|now apply (H (length l))].
  induction n as [|n IH]; intros [|a [|b k]] L; try (simpl; lra); [simpl in L; lia|].
  change (Q2R a + (Q2R b + sum_R k) <= Q2R (added a b) + sum_R (by_pairs k)). simpl in L.
  specialize (IH k ltac:(lia)). pose proof (added_ok a b). lra.
Qed.
Lemma sum_R_fold l : Q2R (fold_right Qplus 0%Q l) = sum_R l.
Proof. induction l as [|a l IH]; simpl; [apply Q2R_0|]. now rewrite Q2R_plus, IH. Qed.
Lemma halving_ok fuel l : sum_R l <= Q2R (halving fuel l).
Proof.
  revert l; induction fuel as [|fuel IH]; intros [|a [|b k]]; cbn [halving]; try (cbn [sum_R fold_right]; rewrite ?Q2R_0; lra).
  - rewrite sum_R_fold. lra.
  - eapply Rle_trans; [apply by_pairs_ok | apply IH].
Qed.

Lemma totals_ok cols : Forall2 (fun col q => sum_R col <= Q2R q) cols (totals cols).
Proof.
  assert (R : Forall2 (fun col q => sum_R col <= Q2R q) cols (rough_sums cols)).
  { apply Forall2_map_r. induction cols; constructor; auto. apply halving_ok. }
  unfold totals. destruct (exact md); [|exact R]. destruct (exact_sums cols) as [qs|] eqn:E; [|exact R].
  unfold exact_sums, bind_option in E. destruct (multiple_of_all _ _ _) as [m|]; [|discriminate]. exact (sums_over_ok cols (Forall_nil _) E).
Qed.
Lemma total_ok l : sum_R l <= Q2R (total l).
Proof. unfold total. pose proof (totals_ok [l]) as H. inversion H as [|? ? ? ? H1 _]; subst. exact H1. Qed.

Lemma sum_R_nonneg l : Forall (fun q => 0 <= Q2R q) l -> 0 <= sum_R l.
Proof. induction 1; simpl; lra. Qed.
Lemma total_nonneg l : Forall (fun q => 0 <= Q2R q) l -> 0 <= Q2R (total l).
Proof. intros H. apply Rle_trans with (sum_R l); [exact (sum_R_nonneg H) | apply total_ok]. Qed.
End Sums.

Lemma sum_R_map A (f : A -> Q) ls : sum_R (map f ls) = fold_right (fun l s => Q2R (f l) + s) 0 ls.
Proof. induction ls; simpl; congruence. Qed.
