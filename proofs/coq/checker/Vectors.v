(** * Sums of vectors, and linear queries: how far apart they are *)
From Coq Require Import String List ZArith QArith Qround Qabs Qminmax Qreals Reals Lra Lia Bool Psatz.
From DPcore Require Import Distributions Metrics Norms Totals Sums RowStability ManyQueries.
From DPchecker Require Import Language Meaning Numbers Distances Promises Facts.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.
Unset Strict Implicit.

(** ** The norm of a row is what the theory calls it *)
Definition norm_R (n : norm) : list R -> R := match n with N1 => norm1 | N2 => norm2_squared | NInf => norm_inf end.

Lemma norm_of_R n g v : Q2R (norm_of n g v) = norm_R n (values (Q2R g) v).
Proof.
  assert (M : forall z, Q2R (g * inject_Z z) = Q2R g * IZR z) by (intros; now rewrite Q2R_mult, Q2R_Z).
  destruct n; unfold norm_of, norm_R, norm1, norm2_squared, norm_inf, values; induction v as [|z v IH];
  try apply Q2R_0; cbn [map fold_right sum top] in *.
  - now rewrite Q2R_plus, Q2R_abs, M, IH.
  - now rewrite Q2R_plus, Q2R_mult, M, IH.
  - assert (X : forall a b, Q2R (Qminmax.Qmax a b) = Rmax (Q2R a) (Q2R b)).
    { intros a b. destruct (Q.max_spec a b) as [[L E]|[L E]]; rewrite (Qeq_eqR _ _ E).
      - apply Qlt_Rlt in L. rewrite Rmax_right; lra.
      - apply Qle_Rle in L. now rewrite Rmax_left. }
    now rewrite X, Q2R_abs, M, IH.
Qed.

Lemma norm_R_zero n g (v : list Z) : norm_R n (values g (map (fun _ => 0%Z) v)) = 0.
Proof.
  unfold values. rewrite map_map, (map_ext _ (fun _ => 0)) by (intros; ring). destruct n; cbn [norm_R].
  - apply (semi_null semi_norm1).
  - unfold norm2_squared. rewrite sum_map, sum_const. ring.
  - apply (semi_null semi_norm_inf).
Qed.

Lemma norm_R_most n size g m v : 0 <= Q2R g -> (0 <= m)%Z -> length v = Pos.to_nat size -> Forall (fun z => Z.abs z <= m)%Z v ->
  norm_R n (values (Q2R g) v) <= Q2R (norm_of_most n size (g * inject_Z m)).
Proof.
  intros G M L F. assert (V : Q2R (g * inject_Z m) = Q2R g * IZR m) by now rewrite Q2R_mult, Q2R_Z.
  assert (M' : 0 <= Q2R g * IZR m) by (apply Rmult_le_pos; [exact G | now apply IZR_le]).
  assert (A : Forall (fun u => Rabs u <= Q2R g * IZR m) (values (Q2R g) v)).
  { unfold values. rewrite Forall_forall in *. intros u J. apply in_map_iff in J. destruct J as (z & <- & J).
    rewrite Rabs_mult, (Rabs_pos_eq (Q2R g)) by exact G. apply Rmult_le_compat_l; [exact G|]. rewrite <- abs_IZR. now apply IZR_le, F. }
  assert (Ls : length (values (Q2R g) v) = Pos.to_nat size) by (unfold values; now rewrite map_length).
  clear F L. revert A Ls. generalize (values (Q2R g) v); clear v. intros u A Ls.
  assert (S : forall h : R -> R, (forall a, Rabs a <= Q2R g * IZR m -> h a <= h (Q2R g * IZR m)) ->
    sum h u <= INR (Pos.to_nat size) * h (Q2R g * IZR m)).
  { intros h H. rewrite <- Ls, <- sum_const with (cs := u). apply sum_le. intros a J. rewrite Forall_forall in A. now apply H, A. }
  destruct n; cbn [norm_R norm_of_most].
  - rewrite Q2R_mult, V, pos_INR_. eapply Rle_trans; [apply (S Rabs)|]; rewrite (Rabs_pos_eq (Q2R g * IZR m)) by exact M'; auto using Rle_refl.
  - rewrite !Q2R_mult, Q2R_Z, pos_INR_. apply (S (fun a => a * a)). intros a J. apply Rabs_le_between in J. nra.
  - rewrite V. apply norm_inf_le. split; [exact M'|]. now apply Forall_forall.
Qed.

Section Vectors.
Variable I : interpretation.
Notation data := (data I).

(** ** Rows within the bound *)
Lemma sized_length A n (zero : A) v : length (sized n zero v) = n.
Proof. revert v; induction n as [|n IH]; intros [|a v]; simpl; auto. Qed.

Lemma vector_in_length size g low high n b (r : row I) : length (vector_in I size g low high n b r) = Pos.to_nat size.
Proof.
  unfold vector_in. destruct n as [n|], b as [b|]; try destruct (Qle_bool _ _); now rewrite ?map_length, sized_length.
Qed.

(** Entries within their bounds, or all of them 0. *)
Lemma clamped_steps g l h z : (Z.abs (clamp_to g (Some l) (Some h) z) <= most_steps g l h)%Z.
Proof. unfold clamp_to, most_steps. lia. Qed.

Lemma vector_in_entries size g l h n b (r : row I) :
  Forall (fun z => Z.abs z <= most_steps g l h)%Z (vector_in I size g (Some l) (Some h) n b r).
Proof.
  assert (F : forall f : Z -> Z, (forall z, Z.abs (f z) <= most_steps g l h)%Z -> forall v, Forall (fun z => Z.abs z <= most_steps g l h)%Z (map f v)).
  { intros f H v. apply Forall_map, Forall_forall. auto. }
  pose proof (F _ (@clamped_steps g l h)) as C. pose proof (F (fun _ => 0%Z) ltac:(intros; unfold most_steps; lia)) as Z.
  unfold vector_in. destruct n as [n|], b as [b|]; try destruct (Qle_bool _ _); auto.
Qed.

Lemma no_longer_ok n bound size g low high of b (r : row I) : 0 < Q2R g -> 0 <= Q2R bound -> no_longer n bound size g low high of b = true ->
  short (norm_R n) (Q2R g) (Pos.to_nat size) (Q2R bound) (vector_in I size g low high of b r).
Proof.
  intros G B. unfold no_longer. split; [apply vector_in_length|]. revert H. destruct (match low with Some _ => _ | None => _ end) eqn:E.
  - intros _. destruct low as [l|], high as [h|]; try discriminate. apply Qle_R in E. eapply Rle_trans; [|exact E].
    apply norm_R_most; [lra | unfold most_steps; lia | apply vector_in_length | apply vector_in_entries].
  - clear E. destruct of as [k|], b as [c|]; try discriminate. destruct (norm_eqb n k) eqn:E; [|discriminate].
    apply norm_eq in E as ->. intros H. apply Qle_R in H. unfold vector_in.
    destruct (Qle_bool _ (bound_of k c)) eqn:F.
    + apply Qle_R in F. rewrite norm_of_R in F. lra.
    + now rewrite norm_R_zero.
Qed.

(** ** The sum *)
Definition of_norm (n : norm) : metric := match n with N1 => L1 | N2 => L2 | NInf => LInf end.
(** The rows of a domain of vectors, as they count. *)
Definition counted_in (row_ : domain) (r : row I) : list Z :=
  match row_ with DVector (DNumber low high (Some g)) n of b => vector_in I n g low high of b r | _ => [] end.
Definition step_of (row_ : domain) : Q := match row_ with DVector (DNumber _ _ (Some g)) _ _ _ => g | _ => 0 end.

Lemma sum_metrics_ok squared bound size row_ ms : sum_metrics squared bound size row_ = ms -> ms <> [] ->
  0 < Q2R (step_of row_) /\ 0 <= Q2R bound /\
  (forall m x, step_rule (VectorSum m squared bound size) (Rows row_ x) =
     Vector (step_of row_) (vector_sum (Pos.to_nat size) (map (counted_in row_) x)) :> data) /\
  forall f, In f ms -> exists n, f = Measured (of_norm n) /\ (squared = match n with N2 => true | _ => false end) /\
    forall r, short (norm_R n) (Q2R (step_of row_)) (Pos.to_nat size) (Q2R bound) (counted_in row_ r).
Proof.
  intros <- N. destruct row_ as [| | | | | | |[low high [g|]| | | | | | | | | | |] n of b| | | |]; try contradiction. cbn [sum_metrics] in *.
  destruct (Qlt_bool 0 g) eqn:E1; [|contradiction]. destruct (Pos.eqb n size) eqn:E2; [|contradiction].
  destruct (Qle_bool 0 bound) eqn:E3; [|contradiction]. apply Pos.eqb_eq in E2 as ->. cbn [andb] in *. clear N.
  split; [now apply Qlt_bool_R in E1; rewrite Q2R_0 in E1|]. split; [now apply Qle_R in E3; rewrite Q2R_0 in E3|].
  split; [intros m x; cbn [step_rule]; now rewrite E1, Pos.eqb_refl|].
  apply Qlt_bool_R in E1. apply Qle_R in E3. rewrite Q2R_0 in E1, E3. intros f J.
  assert (K : forall k m, In f (if no_longer k bound size g low high of b then [Measured m] else []) -> f = Measured m /\
    forall r : row I, short (norm_R k) (Q2R g) (Pos.to_nat size) (Q2R bound) (vector_in I size g low high of b r)).
  { intros k m. clear J. destruct (no_longer k _ _ _ _ _ _ _) eqn:F; [intros [<-|[]] | intros []].
    split; [reflexivity|]. intros r. now apply no_longer_ok. }
  destruct squared; [|apply in_app_or in J; destruct J as [J|J]]; apply K in J; destruct J as [-> J]; [exists N2 | exists N1 | exists NInf]; auto.
Qed.

(** In each of the norms [n] that come into question, the sums are [e] apart. *)
Definition sums_apart D squared bound size e (a b : list (row I)) : Prop :=
  forall n, squared = match n with N2 => true | _ => false end ->
  (forall r : row I, short (norm_R n) (Q2R (step_of D)) (Pos.to_nat size) (Q2R bound) (counted_in D r)) ->
  let sum x := Vector (step_of D) (vector_sum (Pos.to_nat size) (map (counted_in D) x)) : data in apart (of_norm n) e (sum a) (sum b).

Lemma vector_sum_facts_ok m squared bound size fs f gs : vector_sum_facts squared bound size fs = f :: gs ->
  0 <= Q2R bound /\ forall D d e (a b : list (row I)), known fs d (Rows D a : data) (Rows D b) -> sums_apart D squared bound size e a b ->
    known (f :: gs) e (step_rule (VectorSum m squared bound size) (Rows D a) : data) (step_rule (VectorSum m squared bound size) (Rows D b)).
Proof.
  unfold vector_sum_facts. destruct (domain_of fs) as [D|] eqn:E; [|discriminate].
  destruct (sum_metrics squared bound size D) as [|h ms] eqn:F; intros H; [discriminate|]. injection H as <- <-.
  destruct (sum_metrics_ok F) as (_ & B & R & S); [discriminate|]. split; [exact B|].
  intros D' d e a b K A. destruct (domain_ok E K) as [<- _]. rewrite !R. apply Forall_cons.
  - cbn [fact_holds]. unfold vector_sum, totals, Sums.coordinates. now rewrite !map_length, !seq_length.
  - apply Forall_forall. intros g J. destruct (S g J) as (n & -> & Sq & Sh). cbn [fact_holds]. exact (A n Sq Sh).
Qed.

Lemma shortened_rows N D bound size d (m : Metrics.metric (list (row I))) (k : Metrics.metric (list (list Z))) a b :
  stable m k (fun d => d) (map (counted_in D)) -> (forall r : row I, short N (Q2R (step_of D)) size bound (counted_in D r)) ->
  m d a b -> on (Forall (short N (Q2R (step_of D)) size bound)) k d (map (counted_in D) a) (map (counted_in D) b).
Proof.
  intros S H K. split; [|split; [|now apply S]]; apply Forall_map, Forall_forall; auto.
Qed.

Lemma vector_sum_ok m squared bound size fs fs' f : far_rule (VectorSum m squared bound size) fs = Some (fs', f) ->
  good I (VectorSum m squared bound size) fs fs' f.
Proof.
  cbn [far_rule]. destruct (vector_sum_facts squared bound size fs) as [|h gs] eqn:E; [discriminate|].
  destruct (@vector_sum_facts_ok m squared bound size fs h gs E) as [B S]. destruct m; try discriminate;
  (destruct (has _ fs) eqn:Hm; [|discriminate]); intros H; injection H as <- <-;
  (split; [destruct squared; cbn [nonneg_map]; rewrite ?Q2R_mult, ?Q2R_Z; lra|]); intros d x y Hd _ K;
  pose proof (has_ok Hm K) as A; destruct (apart_rows A Logic.I) as (D & a & b & -> & ->); destruct A as [_ A];
  left; (eapply S; [exact K|]); intros n Sq Sh sum; unfold sum; clear sum.
  - pose proof (shortened_rows (proj1 (rows_mapped (counted_in D))) Sh A) as R.
    destruct n; subst squared; (split; [reflexivity|]); cbn [at_r norm_R] in *.
    + rewrite Rmult_comm. now apply (vector_sum_symmetric (Q2R (step_of D)) (Pos.to_nat size) B).
    + rewrite Rmult_comm. now apply (vector_sum_l2_symmetric (n := Pos.to_nat size) (g := Q2R (step_of D)) B).
    + rewrite Rmult_comm. now apply (vector_sum_symmetric (Q2R (step_of D)) (Pos.to_nat size) B).
  - pose proof (shortened_rows (proj2 (rows_mapped (counted_in D))) Sh A) as R.
    destruct n; subst squared; (split; [reflexivity|]); cbn [at_r norm_R] in *;
    rewrite Q2R_mult, Q2R_Z.
    + replace (2 * Q2R bound * d) with (2 * d * Q2R bound) by ring. now apply (vector_sum_change_one (Q2R (step_of D)) (Pos.to_nat size) B).
    + replace (4 * Q2R bound * (d * d)) with (4 * d * d * Q2R bound) by ring.
      now apply (vector_sum_l2_change_one (n := Pos.to_nat size) (g := Q2R (step_of D)) B).
    + replace (2 * Q2R bound * d) with (2 * d * Q2R bound) by ring. now apply (vector_sum_change_one (Q2R (step_of D)) (Pos.to_nat size) B).
Qed.

(** ** Linear queries *)
Lemma answer_between of g e (r : row I) : 0 < Q2R g -> 0 <= Q2R g * IZR (answer_in I of g e r) <= 1.
Proof.
  intros G. unfold answer_in, clamp. set (z := Z.max 0 (Z.min (Qfloor (1 / g)) (steps g (answer I of e r)))).
  pose proof (floor_R (1 / g)) as [F _]. rewrite Q2R_div, Q2R_1 in F by now apply Qnonzero_R.
  assert (O : (0 <= Qfloor (1 / g))%Z).
  { pose proof (floor_R (1 / g)) as [_ F']. rewrite Q2R_div, Q2R_1 in F' by now apply Qnonzero_R.
    assert (0 < 1 / Q2R g) by (apply Rdiv_lt_0_compat; lra). apply Z.lt_succ_r, lt_IZR. rewrite succ_IZR. lra. }
  assert (L : (0 <= z <= Qfloor (1 / g))%Z) by lia. destruct L as [L1 L2]. apply IZR_le in L1, L2.
  split; [apply Rmult_le_pos; lra|]. apply Rle_trans with (Q2R g * (1 / Q2R g)); [apply Rmult_le_compat_l; lra | right; field; lra].
Qed.

(** One row moves the answers by what was promised, or by at most their number. *)
Lemma answers_moved m queries most premises : promise_of I (LinearQueries m queries most) premises -> answers_move I m queries (Q2R most).
Proof.
  intros Kept. destruct (Rlt_dec (Q2R most) (INR (length queries))) as [L|L]; [now apply Kept|]. apply Rnot_lt_le in L.
  intros of g answers G. assert (U : forall q (r : row I), In q answers -> True -> 0 <= Q2R g * IZR (q r) <= 1).
  { intros q r J _. apply in_map_iff in J. destruct J as (e & <- & _). now apply answer_between. }
  assert (E : length answers = length queries) by apply map_length.
  destruct (@unit_queries _ (fun _ => True) _ _ U) as [S C]. rewrite E in S, C.
  destruct m; intros; (eapply Rle_trans; [|exact L]); auto.
Qed.

Lemma linear_queries_ok m queries most fs fs' f : promise_of I (LinearQueries m queries most) [] ->
  far_rule (LinearQueries m queries most) fs = Some (fs', f) -> good I (LinearQueries m queries most) fs fs' f.
Proof.
  intros Kept. apply answers_moved in Kept. cbn [far_rule].
  destruct (Nat.eqb (length queries) 0) eqn:E0; [discriminate|]. destruct (Qle_bool 0 most) eqn:E1; [|discriminate]. cbn [negb andb].
  apply Nat.eqb_neq in E0. apply Qle_R in E1. rewrite Q2R_0 in E1.
  assert (L : forall of d g (a b : list (row I)), let answers := map (answer_in I of g) queries in
    fact_holds (entries queries) d (Vector g (totals answers a) : data) (Vector g (totals answers b))).
  { intros. cbn [fact_holds entries]. unfold totals, answers. rewrite !map_length, Nat2Pos.id by exact E0. auto. }
  destruct m; try discriminate; (destruct (has _ fs) eqn:Hm; [|discriminate]); intros H; injection H as <- <-;
  (split; [exact E1|]); intros d x y Hd _ K; pose proof (has_ok Hm K) as A; destruct (apart_rows A Logic.I) as (D & a & b & -> & ->);
  destruct A as [_ A]; cbn [step_rule]; (destruct (Qlt_bool 0 (answers_step I D queries)) eqn:G; [|right; split; reflexivity]);
  apply Qlt_bool_R in G; rewrite Q2R_0 in G; specialize (Kept D G); left;
  (apply Forall_cons; [split; [reflexivity|] | apply Forall_cons; [apply L | constructor]]).
  - apply (@linear_queries_symmetric _ (fun _ => True) _ _ _ E1); [intros; apply Kept | now apply everywhere].
  - apply (@linear_queries_change_one _ (fun _ => True) _ _ _ E1); [intros; apply Kept | now apply everywhere].
Qed.

(** In LInf nothing has to be promised: no row moves an answer by more than 1. *)
Lemma unit_queries_ok m queries fs fs' f : far_rule (UnitQueries m queries) fs = Some (fs', f) -> good I (UnitQueries m queries) fs fs' f.
Proof.
  cbn [far_rule]. destruct (Nat.eqb (length queries) 0) eqn:E0; [discriminate|]. cbn [negb]. apply Nat.eqb_neq in E0.
  assert (L : forall of d g (a b : list (row I)), let answers := map (answer_in I of g) queries in
    fact_holds (entries queries) d (Vector g (totals answers a) : data) (Vector g (totals answers b))).
  { intros. cbn [fact_holds entries]. unfold totals, answers. rewrite !map_length, Nat2Pos.id by exact E0. auto. }
  destruct m; try discriminate; (destruct (has _ fs) eqn:Hm; [|discriminate]); intros H; injection H as <- <-;
  (split; [exact nonneg_1|]); intros d x y Hd _ K; rewrite Times_1; pose proof (has_ok Hm K) as A;
  destruct (apart_rows A Logic.I) as (D & a & b & -> & ->); destruct A as [_ A]; cbn [step_rule];
  (destruct (Qlt_bool 0 (answers_step I D queries)) eqn:G; [|right; split; reflexivity]); apply Qlt_bool_R in G; rewrite Q2R_0 in G; left;
  (apply Forall_cons; [split; [reflexivity|] | apply Forall_cons; [apply L | constructor]]);
  (assert (U : forall q (r : row I), In q (map (answer_in I D (answers_step I D queries)) queries) -> True ->
     0 <= Q2R (answers_step I D queries) * IZR (q r) <= 1)
   by (intros q r J _; apply in_map_iff in J; destruct J as (e & <- & _); now apply answer_between)).
  - apply (@linear_queries_linf_symmetric _ (fun _ => True) _ _ U). now apply everywhere.
  - apply (@linear_queries_linf_change_one _ (fun _ => True) _ _ U). now apply everywhere.
Qed.
End Vectors.
